// Has an entity say that so many nodes have it.
// params: tenant, key, nodes
// returns: none
// write
MATCH (e:Entity {tenant: $tenant, key: $key})
SET e.nodes = $nodes
