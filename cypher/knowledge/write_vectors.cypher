// Stores the vectors of texts that are still the same, and the pieces of the long ones.
// params: tenant, rows, now, maker
// returns: id
// write
// use: only_of_a_generation
UNWIND $rows AS row
MATCH (n:Item&Knowledge {tenant: $tenant, uid: row.uid})
SET n._lock = true
WITH n, row, n.contentHash = row.contentHash AS same
SET n._lock = null
WITH n, row WHERE same
CALL db.create.setNodeVectorProperty(n, 'embedding_GENERATION', row.vector)
SET n.embeddedText = row.text
CALL (n) {
  MATCH (n)-[:HAS_CHUNK]->(old:Chunk)
  WHERE old.embedding_GENERATION IS NOT NULL
  DETACH DELETE old
}
CALL (n, row) {
  UNWIND row.chunks AS piece
  CREATE (c:Item:Chunk {tenant: $tenant, uid: piece.uid, node: n.uid, order: piece.order, text: piece.text, createdAt: $now, updatedAt: $now})
  SET c += n {.status, .resource, .type, .source, .confidence, .validTo}
  CREATE (n)-[:HAS_CHUNK]->(c)
  WITH c, piece
  CALL db.create.setNodeVectorProperty(c, 'embedding_GENERATION', piece.vector)
}
RETURN row.uid AS id
