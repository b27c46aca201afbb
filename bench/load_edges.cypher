// Opens new edges, without looking whether they are there. Rows are those of `knowledge/write_edges`.
// params: tenant, rows, open, now
// returns: none
// write
UNWIND $rows AS row
MATCH (a:Item {tenant: $tenant, uid: row.from})
MATCH (b:Item {tenant: $tenant, uid: row.to})
CREATE (a)-[r:$(row.type) {createdAt: $now, recordedFrom: $now, recordedTo: $open, origin: 'explicit'}]->(b)
SET r += row.properties
