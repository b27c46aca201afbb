// Makes the vector index of one generation. Unquantised: of 50,000 grown batch by batch, the ten nearest are all among the 100 candidates of a search,
// in tenants of 1 %, 10 % and 89 %, since it looks half as far again as asked for; quantised to bits 0.98, and no faster. With twice the neighbours
// (m 32, ef_construction 200) it finds no more of them and takes 2.4 times as long to build, which merging segments does again and again.
// params: dimensions
// returns: none
// schema
CREATE VECTOR INDEX knowledge_vector_GENERATION IF NOT EXISTS
FOR (n:Knowledge|Chunk) ON n.embedding_GENERATION
WITH [n.tenant, n.status, n.resource, n.type, n.source, n.confidence, n.validTo]
OPTIONS {indexConfig: {
  `vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine', `vector.quantization.type`: 'none',
  `vector.hnsw.m`: 16, `vector.hnsw.ef_construction`: 100, `vector.default_search_expansion_factor`: 1.5
}}
