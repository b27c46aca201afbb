// What messages said before, the latest first.
// params: tenant, resource, ids
// returns: id, revision
// read
UNWIND $ids AS id
MATCH (m:Item&Message {tenant: $tenant, uid: id})-[:PREVIOUS]->(v:MessageRevision)
WHERE $resource IS NULL OR m.resource = $resource
WITH id, v ORDER BY v.version DESC
RETURN id, v {.version, .parts, .content, .recordedFrom, .recordedTo} AS revision
