// Branch of the pool: by vector, at $asOf. The index of what is current knows no times: $reach of it are looked at, and a vector counts
// where the text was then the same. Earlier texts have an index that knows them. Exact cosine joins them over what has not been changed
// since ($reach, from the oldest on, so that few are not lost among many newer ones), and over what passes a filter ($facetLucene).
  CALL () {
    MATCH (hit:Knowledge|Chunk)
    SEARCH hit IN (
      VECTOR INDEX knowledge_vector_GENERATION FOR $vector
      WHERE hit.tenant = $tenant AND hit.resource IN $resources AND hit.status IN $current
      LIMIT $reach
    ) SCORE AS score
    WITH CASE WHEN hit:Knowledge THEN hit ELSE head([(k:Knowledge)-[:HAS_CHUNK]->(hit) | k]) END AS n, score
    WITH n, max(score) AS score
    WITH n, score,
    // use: as_of_state
    WITH n, s, score WHERE s.contentHash = n.contentHash
    RETURN n, s, score
   UNION ALL
    MATCH (s:Revision)
    SEARCH s IN (
      VECTOR INDEX revision_vector_GENERATION FOR $vector
      WHERE s.tenant = $tenant AND s.resource IN $resources AND s.status IN $sought AND s.recordedFrom <= $asOf AND s.recordedTo > $asOf
        AND s.type IN $types AND s.source IN $sources AND s.confidence >= $minConfidence
      LIMIT $candidates
    ) SCORE AS score
    RETURN head([(k:Knowledge)-[:PREVIOUS]->(s) | k]) AS n, s, score
   UNION ALL
    CALL () {
      MATCH (n:Knowledge)
      USING INDEX n:Knowledge(tenant, updatedAt, uid)
      WHERE n.tenant = $tenant AND n.uid IS NOT NULL AND n.updatedAt <= $asOf
      RETURN n LIMIT $reach
    }
    WITH n, vector.similarity.cosine(n.embedding_GENERATION, $vector) AS score
    WHERE score IS NOT NULL AND n.resource IN $resources AND n.recordedFrom <= $asOf
    RETURN n, n AS s, score
   UNION ALL
    UNWIND $facetLucene AS lucene
    CALL (lucene) {
      CALL db.index.fulltext.queryNodes('knowledge_text', lucene, {limit: $reach}) YIELD node AS n
      WHERE n.tenant = $tenant AND n.resource IN $resources AND n.recordedFrom <= $asOf
      RETURN n, n AS s
     UNION ALL
      CALL db.index.fulltext.queryNodes('revision_text', lucene, {limit: $reach}) YIELD node AS s
      WHERE s.tenant = $tenant AND s.resource IN $resources AND s.recordedFrom <= $asOf AND s.recordedTo > $asOf
      RETURN head([(k:Knowledge)-[:PREVIOUS]->(s) | k]) AS n, s
    }
    WITH n, s, vector.similarity.cosine(s.embedding_GENERATION, $vector) AS score WHERE score IS NOT NULL
    RETURN n, s, score
  }
  // use: as_of_best
  UNWIND hits AS hit
  RETURN hit.n AS n, hit.s AS s, hit.former AS former,
  // use: as_of_share
  AS dense, 0.0 AS lexical, 0.0 AS title, 0 AS held
