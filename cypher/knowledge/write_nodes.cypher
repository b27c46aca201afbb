// Writes nodes as given, in the order of their ids. `version` is the one the caller worked from, 0 for a new node; a row whose
// node has another one by now is left alone and told. What a node was before becomes a Revision.
// params: tenant, rows, now
// returns: id, version, stale
// write
UNWIND $rows AS row
MERGE (n:Item {tenant: $tenant, uid: row.uid})
ON CREATE SET n:Knowledge, n.version = 0, n.createdAt = row.createdAt
SET n._lock = true
WITH n, row, n.version AS had, n.version <> row.version AS stale
CALL (n, row, stale) {
  WITH n, row WHERE NOT stale AND row.version > 0
  CREATE (v:Revision)
  SET v = properties(n)
  SET v.uid = row.revision, v._lock = null, v.recordedTo = $now, v:Item
  CREATE (n)-[:PREVIOUS]->(v)
}
CALL (n, row, stale) {
  WITH n, row WHERE NOT stale AND row.newText
  SET n.embedding_GENERATION = null, n.embeddedText = null
  WITH n
  MATCH (n)-[:HAS_CHUNK]->(c:Chunk)
  DETACH DELETE c
}
CALL (n, row, stale) {
  WITH n, row WHERE NOT stale
  SET n += row.properties, n.version = row.version + 1, n.updatedAt = $now, n.recordedFrom = $now
  WITH n
  MATCH (n)-[:HAS_CHUNK]->(c:Chunk)
  SET c += n {.status, .resource, .type, .source, .confidence, .validTo}
}
SET n._lock = null
RETURN row.uid AS id, had AS version, stale
