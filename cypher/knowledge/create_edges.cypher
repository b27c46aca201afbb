// Opens new edges between nodes that are there and locked. A row is a source and its edges, each as a list: target, type, weight,
// confidence, source, reason, validFrom, validTo (null: for ever).
// params: tenant, rows, open, now
// returns: none
// write
UNWIND $rows AS row
MATCH (a:Item {tenant: $tenant, uid: row[0]})
UNWIND row[1] AS edge
MATCH (b:Item {tenant: $tenant, uid: edge[0]})
CREATE (a)-[:$(edge[1]) {weight: edge[2], confidence: edge[3], source: edge[4], reason: edge[5], validFrom: edge[6],
  validTo: coalesce(edge[7], $open), origin: 'explicit', createdAt: $now, recordedFrom: $now, recordedTo: $open,
  tenant: CASE edge[1] WHEN 'CONFLICTS_WITH' THEN $tenant END}]->(b)
