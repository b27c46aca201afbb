// Changes properties of an item.
// params: tenant, uid, properties
// returns: none
// write
MATCH (n:Item {tenant: $tenant, uid: $uid})
SET n += $properties
