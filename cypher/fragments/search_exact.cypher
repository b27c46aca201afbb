// Branch of the pool: exact cosine over all that the clauses of $facetLucene (tenant and facets, no terms) let through, at most $exact nodes;
// superseded ones, by a query of their own, are `former` and come beside the list. Where more than that may pass, those of the $exact
// nearest that do join them.
  UNWIND $facetLucene AS query
  CALL (query) {
    CALL db.index.fulltext.queryNodes('knowledge_text', query.lucene, {limit: $exact}) YIELD node
    RETURN collect(node) AS few
  }
  CALL (query, few) {
    CALL (query, few) {
      UNWIND few AS n
      CALL (n) {
        RETURN n AS hit
       UNION ALL
        MATCH (n)-[:HAS_CHUNK]->(hit:Chunk)
        RETURN hit
      }
      RETURN n, hit, vector.similarity.cosine(hit.embedding_GENERATION, $vector) AS score
     UNION ALL
      UNWIND CASE WHEN query.former OR size(few) < $exact THEN [] ELSE [1] END AS more
      MATCH (hit:Knowledge|Chunk)
      SEARCH hit IN (
        VECTOR INDEX knowledge_vector_GENERATION FOR $vector
        WHERE hit.tenant = $tenant AND hit.status IN $statuses AND hit.resource IN $resources AND hit.validTo > $now
          AND hit.type IN $types AND hit.source IN $sources AND hit.confidence >= $minConfidence
        LIMIT $exact
      ) SCORE AS score
      RETURN CASE WHEN hit:Knowledge THEN hit ELSE head([(k:Knowledge)-[:HAS_CHUNK]->(hit) | k]) END AS n, hit, score
    }
    WITH query, n, hit, score
    // use: search_narrow
      AND score IS NOT NULL AND n.tenant = $tenant AND n.resource IN $resources
      AND CASE WHEN query.former THEN n.status = 'superseded' ELSE n.status IN $statuses AND n.validTo > $now END
    WITH hit, max(score) AS score
    RETURN hit, score ORDER BY score DESC, hit.uid LIMIT $candidates
  }
  WITH hit, score, query.former AS former
  // use: search_dense
