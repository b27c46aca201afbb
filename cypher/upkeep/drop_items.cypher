// Takes items away with their edges.
// params: tenant, ids
// returns: none
// write
UNWIND $ids AS id
MATCH (n:Item {tenant: $tenant, uid: id})
DETACH DELETE n
