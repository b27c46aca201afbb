// An entity and the nodes that mention it; `nodes` is what it says of how many they are.
// params: tenant, key, name, uids, nodes, open, now
// returns: none
// write
MERGE (e:Item:Entity {tenant: $tenant, uid: 'e' + $key})
SET e.key = $key, e.name = $name, e.spellings = [$name], e.nodes = $nodes, e.createdAt = $now, e.updatedAt = $now
WITH e
UNWIND $uids AS uid
MATCH (n:Item&Knowledge {tenant: $tenant, uid: uid})
CREATE (n)-[:MENTIONS {origin: 'auto', createdAt: $now, recordedFrom: $now, recordedTo: $open}]->(e)
