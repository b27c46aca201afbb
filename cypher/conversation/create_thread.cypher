// Makes a thread, and its resource where there is none. `created` is false where the id is in use, `isResource` where that of the
// resource is, by something else: then nothing of the transaction may be kept. `version`: of the thread, where it is the resource's.
// params: tenant, resource, uid, properties, now
// returns: created, isResource, version
// write
MERGE (r:Item {tenant: $tenant, uid: $resource})
ON CREATE SET r:Resource, r.speakers = [], r.metadata = '{}', r.version = 1, r.createdAt = $now, r.updatedAt = $now
SET r._lock = true
SET r._lock = null
WITH r
MERGE (t:Item {tenant: $tenant, uid: $uid})
ON CREATE SET t:Thread, t += $properties, t.resource = $resource, t.made = true
WITH r, t, coalesce(t.made, false) AS created
SET t.made = null
CREATE (r)-[:HAS_THREAD]->(t)
RETURN created, r:Resource AS isResource, CASE WHEN t:Thread AND t.resource = $resource THEN t.version END AS version
