// Branch of the pool: nearest neighbours by vector, a chunk's score counted for its node (the best), min-max over the list.
// Superseded ones, whatever they were valid for, come in a list of their own where the tenant has any ($formers 0 leaves them out).
  CALL () {
    MATCH (hit:Knowledge|Chunk)
    SEARCH hit IN (
      VECTOR INDEX knowledge_vector_GENERATION FOR $vector
      WHERE hit.tenant = $tenant AND hit.status IN $statuses AND hit.resource IN $resources AND hit.validTo > $now
      LIMIT $candidates
    ) SCORE AS score
    RETURN hit, score, false AS former
   UNION ALL
    UNWIND CASE WHEN $formers > 0 AND EXISTS { MATCH (:Knowledge {tenant: $tenant, status: 'superseded'}) } THEN ['superseded'] ELSE [] END AS status
    MATCH (hit:Knowledge|Chunk)
    SEARCH hit IN (
      VECTOR INDEX knowledge_vector_GENERATION FOR $vector
      WHERE hit.tenant = $tenant AND hit.status = status AND hit.resource IN $resources
      LIMIT $formers
    ) SCORE AS score
    RETURN hit, score, true AS former
  }
  // use: search_dense
