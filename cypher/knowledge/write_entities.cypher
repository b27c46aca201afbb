// Closes and opens edges from nodes to entities, and says of the entities what they are then; those that nothing leads to any more go.
// Nodes and entities are locked.
// params: tenant, closed, opened, rows, open, now
// returns: none
// write
CALL () {
  UNWIND $closed AS row
  MATCH (n:Item&Knowledge {tenant: $tenant, uid: row.uid})-[r:MENTIONS]->(e:Entity)
  WHERE r.recordedTo = $open AND e.key IN row.keys
  SET r.recordedTo =
// use: end
}
CALL () {
  UNWIND $opened AS row
  MATCH (n:Item&Knowledge {tenant: $tenant, uid: row.uid})
  UNWIND row.entities AS found
  MATCH (e:Entity {tenant: $tenant, key: found[0]})
  CREATE (n)-[:MENTIONS {origin: 'auto', spelling: found[1], createdAt: $now, recordedFrom: $now, recordedTo: $open}]->(e)
}
UNWIND $rows AS row
MATCH (e:Entity {tenant: $tenant, key: row.key})
SET e += row.properties, e.updatedAt = $now
WITH e WHERE e.nodes = 0 AND NOT EXISTS { (e)<-[:MENTIONS]-() }
DELETE e
