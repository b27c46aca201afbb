// Deletes an item.
// params: tenant, uid
// returns: none
// write
MATCH (n:Item {tenant: $tenant, uid: $uid})
DETACH DELETE n
