// Nodes by id; an id that isn't there, or isn't to be seen, has no row.
// params: tenant, resources, ids
// returns: node
// read
UNWIND $ids AS id
MATCH (n:Item {tenant: $tenant, uid: id})
WHERE n:Knowledge AND n.resource IN $resources
RETURN
// use: node
