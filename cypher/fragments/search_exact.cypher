// Branch of the pool: exact cosine over all that the clauses of $facetLucene (tenant and facets, no terms) let through, at most $exact nodes;
// superseded ones, by a query of their own, are `former` and come beside the list.
  UNWIND $facetLucene AS query
  CALL (query) {
    CALL db.index.fulltext.queryNodes('knowledge_text', query.lucene, {limit: $exact}) YIELD node AS n
    WHERE n.tenant = $tenant AND n.resource IN $resources AND n.type IN $types AND n.source IN $sources AND n.confidence >= $minConfidence
      AND CASE WHEN query.former THEN n.status = 'superseded' ELSE n.status IN $statuses AND n.validTo > $now END
    CALL (n) {
      RETURN n AS hit
     UNION ALL
      MATCH (n)-[:HAS_CHUNK]->(hit:Chunk)
      RETURN hit
    }
    WITH hit, vector.similarity.cosine(hit.embedding_GENERATION, $vector) AS score
    WHERE score IS NOT NULL
    RETURN hit, score ORDER BY score DESC, hit.uid LIMIT $candidates
  }
  WITH hit, score, query.former AS former
  // use: search_dense
