// Makes the open MENTIONS edges of nodes just those to the nodes that go by the given names ([key, what these are about]). The nodes are locked.
// params: tenant, rows, open, now
// returns: opened, closed
// write
UNWIND $rows AS row
MATCH (n:Item&Knowledge {tenant: $tenant, uid: row.uid})
CALL (n, row) {
  UNWIND row.names AS name
  MATCH (m:Name {tenant: $tenant, key: name[0]})<-[:NAMED]-(t:Knowledge)
  WHERE t <> n AND t.tenant = $tenant AND t.resource = name[1]
  RETURN collect(DISTINCT t) AS targets
}
CALL (n, targets) {
  MATCH (n)-[r:MENTIONS {recordedTo: $open}]->(t:Knowledge)
  WHERE NOT t IN targets
  SET r.recordedTo =
// use: end
  RETURN count(r) AS closed
}
CALL (n, targets) {
  UNWIND targets AS t
  WITH n, t WHERE NOT EXISTS { (n)-[:MENTIONS {recordedTo: $open}]->(t) }
  CREATE (n)-[r:MENTIONS {origin: 'auto', createdAt: $now, recordedFrom: $now, recordedTo: $open}]->(t)
  RETURN count(r) AS opened
}
RETURN sum(opened) AS opened, sum(closed) AS closed
