// Changes properties of the edges of a type out of an item.
// params: tenant, uid, type, properties
// returns: none
// write
MATCH (n:Item {tenant: $tenant, uid: $uid})-[r]->()
WHERE type(r) = $type
SET r += $properties
