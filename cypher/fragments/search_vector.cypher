// Branch of the pool: nearest neighbours by vector, a chunk's score counted for its node (the best), min-max over the list.
  MATCH (hit:Knowledge|Chunk)
  SEARCH hit IN (
    VECTOR INDEX knowledge_vector_GENERATION FOR $vector
    WHERE hit.tenant = $tenant AND hit.status IN $statuses AND hit.resource IN $resources AND hit.validTo > $now
    LIMIT $candidates
  ) SCORE AS score
  // use: search_dense
