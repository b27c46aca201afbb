// For each node the others of its resource whose vectors are about the same.
// params: tenant, ids, neighbours, threshold
// returns: id, other, score
// read
UNWIND $ids AS id
MATCH (n:Item&Knowledge {tenant: $tenant, uid: id})
WHERE n.status = 'active' AND n.embedding_GENERATION IS NOT NULL
CALL (n) {
  MATCH (m:Knowledge|Chunk)
  SEARCH m IN (
    VECTOR INDEX knowledge_vector_GENERATION FOR n.embedding_GENERATION
    WHERE m.tenant = $tenant AND m.status = 'active' AND m.resource = n.resource
    LIMIT $neighbours
  ) SCORE AS score
  WITH m, score WHERE m:Knowledge AND m <> n AND 2 * score - 1 >= $threshold
  RETURN m.uid AS other, 2 * score - 1 AS score
}
RETURN id, other, score
