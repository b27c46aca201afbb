// States of the fields of a profile, the latest first, each with the entry of the change log that brought it about; from a place on.
// To a bound key (null: any) nobody else is named.
// params: tenant, uid, field, bound, at, name, count
// returns: state, change
// read
MATCH (p:Item&Profile {tenant: $tenant, uid: $uid})-[:HAS_FIELD]->(f:Field)
WHERE $field IS NULL OR f.name = $field OR f.name STARTS WITH $field + '.'
CALL (f) {
  RETURN f AS s
 UNION ALL
  MATCH (f)-[:PREVIOUS]->(s:FieldRevision)
  RETURN s
}
WITH f, s
WHERE s.at < $at OR (s.at = $at AND f.name > $name)
WITH f, s ORDER BY s.at DESC, f.name LIMIT $count
OPTIONAL MATCH (c:Item&Change {tenant: $tenant, uid: s.change})
WITH f, s, c, c.resource = $bound OR $bound IS NULL AS told
RETURN s {uid: f.uid, .name, .value, .text, .source, .asOf, .verifyElsewhere, .version, .at, .recordedFrom, .recordedTo} AS state,
  c {.uid, .action, keyName: CASE WHEN told THEN c.keyName END, agent: CASE WHEN told THEN c.agent END} AS change
ORDER BY s.at DESC, f.name
