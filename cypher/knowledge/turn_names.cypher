// Notes of names, whose ids are in order, whether they stand in too many texts, and tells of which that changed. The names stay locked.
// params: tenant, ids, most, now
// returns: id
// write
UNWIND $ids AS id
MATCH (m:Item&Name {tenant: $tenant, uid: id})
SET m._lock = true
SET m._lock = null
WITH m, coalesce(m.texts > $most, false) AS common
WHERE m.common <> common
SET m.common = common, m.updatedAt = $now
RETURN m.uid AS id
