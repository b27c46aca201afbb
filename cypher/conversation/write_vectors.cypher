// Stores the vectors of messages that still say the same, and the pieces of the long ones.
// params: tenant, rows, now, maker
// returns: id
// write
// use: only_of_a_generation
UNWIND $rows AS row
MATCH (m:Item&Message {tenant: $tenant, uid: row.uid})
SET m._lock = true
WITH m, row, m.contentHash = row.contentHash AS same
SET m._lock = null
WITH m, row WHERE same
CALL db.create.setNodeVectorProperty(m, 'embedding_GENERATION', row.vector)
SET m.embeddedText = row.text
CALL (m) {
  MATCH (m)-[:HAS_CHUNK]->(old:MessageChunk)
  WHERE old.embedding_GENERATION IS NOT NULL
  DETACH DELETE old
}
CALL (m, row) {
  UNWIND row.chunks AS piece
  CREATE (c:Item:MessageChunk {tenant: $tenant, uid: piece.uid, message: m.uid, order: piece.order, text: piece.text, updatedAt: $now})
  SET c += m {.thread, .resource, .role, .agent, .createdAt}
  CREATE (m)-[:HAS_CHUNK]->(c)
  WITH c, piece
  CALL db.create.setNodeVectorProperty(c, 'embedding_GENERATION', piece.vector)
}
RETURN row.uid AS id
