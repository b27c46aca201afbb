// Opens an edge between two threads that are locked, unless there is one, either way.
// params: tenant, from, to, reason, open, now
// returns: created
// write
MATCH (a:Item&Thread {tenant: $tenant, uid: $from})
MATCH (b:Item&Thread {tenant: $tenant, uid: $to})
OPTIONAL MATCH (a)-[e:RELATED_TO {recordedTo: $open}]-(b)
WITH a, b, count(e) AS had
CALL (a, b, had) {
  WITH a, b WHERE had = 0
  CREATE (a)-[:RELATED_TO {origin: 'explicit', weight: 1.0, confidence: 1.0, source: 'conversation', reason: $reason,
    createdAt: $now, recordedFrom: $now, recordedTo: $open, validTo: $open}]->(b)
}
RETURN had = 0 AS created
