// Makes the vector index of what nodes were, of one generation; as create_knowledge_vector, with the time of a state among its filters.
// params: dimensions
// returns: none
// schema
CREATE VECTOR INDEX revision_vector_GENERATION IF NOT EXISTS
FOR (n:Revision) ON n.embedding_GENERATION
WITH [n.tenant, n.status, n.resource, n.type, n.source, n.confidence, n.recordedFrom, n.recordedTo]
OPTIONS {indexConfig: {
  `vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine', `vector.quantization.type`: 'none',
  `vector.hnsw.m`: 16, `vector.hnsw.ef_construction`: 100, `vector.default_search_expansion_factor`: 1.5
}}
