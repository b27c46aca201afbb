// Makes the vector index of messages for one generation. Twice as dense as the one for knowledge, in place of its wider search: recall ranks by more than the vector, and LoCoMo gains nothing by that.
// params: dimensions
// returns: none
// schema
CREATE VECTOR INDEX message_vector_GENERATION IF NOT EXISTS
FOR (n:Message|MessageChunk) ON n.embedding_GENERATION
WITH [n.tenant, n.resource, n.thread, n.role, n.agent, n.createdAt]
OPTIONS {indexConfig: {
  `vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine', `vector.quantization.type`: 'none',
  `vector.hnsw.m`: 32, `vector.hnsw.ef_construction`: 200
}}
