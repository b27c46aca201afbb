// Changes nodes, in the order of their ids. `version` is the one the caller worked from; a row whose node has another one by now is
// left alone, and missing in `written`. What a node was before becomes a Revision. A new text has no vector: also none of the
// generation that is perhaps being made (_NEXT). A state begins no earlier than the one before, whatever the clocks of machines say.
// params: tenant, rows, change, reason, now
// returns: written
// write
UNWIND $rows AS row
MATCH (n:Item&Knowledge {tenant: $tenant, uid: row.uid})
SET n._lock = true
WITH n, row, n.version = row.version AS current
SET n._lock = null
WITH n, row, CASE WHEN n.recordedFrom > $now THEN n.recordedFrom ELSE $now END AS begins
WHERE current
CREATE (v:Revision)
SET v = properties(n)
SET v.uid = row.revision, v.recordedTo = begins, v:Item
CREATE (n)-[:PREVIOUS]->(v)
WITH n, row, begins
CALL (n, row) {
  WITH n, row WHERE row.newText
  SET n.embedding_GENERATION = null, n.embedding_NEXT = null, n.embeddedText = null
  WITH n
  MATCH (n)-[:HAS_CHUNK]->(c:Chunk)
  DETACH DELETE c
}
SET n += row.properties, n.version = row.version + 1, n.updatedAt = $now, n.recordedFrom = begins,
  n.change = $change, n.reason = $reason
CALL (n) {
  MATCH (n)-[:HAS_CHUNK]->(c:Chunk)
  SET c += n {.status, .resource, .type, .source, .confidence, .validTo}
}
RETURN count(*) AS written
