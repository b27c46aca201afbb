// Opens new edges, without looking whether they are there. Rows are `graphmem.knowledge.edges_write.row`; the
// end of validity may be left out.
// params: tenant, rows, open, now
// returns: none
// write
UNWIND $rows AS row
MATCH (a:Item {tenant: $tenant, uid: row.from})
MATCH (b:Item {tenant: $tenant, uid: row.to})
CREATE (a)-[r:$(row.type) {createdAt: $now, recordedFrom: $now, recordedTo: $open, validTo: $open, origin: 'explicit'}]->(b)
SET r += row.properties
