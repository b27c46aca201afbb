// The documents that nodes were taken from.
// params: tenant, resources, ids
// returns: id, document
// read
UNWIND $ids AS id
MATCH (n:Item&Knowledge {tenant: $tenant, uid: id})-[:DERIVED_FROM]->(d:Document)
WHERE n.resource IN $resources AND d.tenant = $tenant AND d.resource IN $resources
RETURN id, d {id: d.uid, .path, .title} AS document
ORDER BY id, d.path
