// Branch of the pool: exact cosine over all that the clauses of $facetLucene (tenant and facets, no terms) let through, at most $exact nodes.
  UNWIND $facetLucene AS lucene
  CALL db.index.fulltext.queryNodes('knowledge_text', lucene, {limit: $exact}) YIELD node AS n
  WHERE n.tenant = $tenant AND n.status IN $statuses AND n.resource IN $resources AND n.validTo > $now
    AND n.type IN $types AND n.source IN $sources AND n.confidence >= $minConfidence
  CALL (n) {
    RETURN n AS hit
   UNION ALL
    MATCH (n)-[:HAS_CHUNK]->(hit:Chunk)
    RETURN hit
  }
  WITH hit, vector.similarity.cosine(hit.embedding_GENERATION, $vector) AS score
  WHERE score IS NOT NULL
  ORDER BY score DESC, hit.uid LIMIT $candidates
  // use: search_dense
