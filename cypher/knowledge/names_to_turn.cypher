// Names that stand in too many texts and are not known for it, and those that are and stand in so many no more. $most null: there is no such number.
// params: tenant, most, count
// returns: ids
// read
CALL () {
  MATCH (m:Name) USING INDEX m:Name(tenant, common, texts)
  WHERE m.tenant = $tenant AND m.common = false AND m.texts > $most
  RETURN m.uid AS uid LIMIT $count
 UNION
  MATCH (m:Name) USING INDEX m:Name(tenant, common, texts)
  WHERE m.tenant = $tenant AND m.common = true AND m.texts >= 0 AND ($most IS NULL OR m.texts <= $most)
  RETURN m.uid AS uid LIMIT $count
}
WITH uid ORDER BY uid
RETURN collect(uid) AS ids
