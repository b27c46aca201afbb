// What a recall ranks: the best messages by full text and by vector, with the exact cosine of all of them, and those beside them.
// $lucene null leaves out the text list. `narrow` says what of the filter the vector index has to look at.
// params: tenant, resource, threads, agent, roles, since, until, narrow, lucene, vector, count, beside
// returns: candidates, near
// read
CALL () {
  // use: recall_text
 UNION ALL
  // use: recall_vector
}
WITH m, max(cosine) AS near, max(lexical) AS lexical
CALL (m, near) {
  WITH m WHERE near IS NULL
  CALL (m) {
    RETURN m AS hit
   UNION ALL
    MATCH (m)-[:HAS_CHUNK]->(hit:MessageChunk)
    RETURN hit
  }
  RETURN max(vector.similarity.cosine(hit.embedding_GENERATION, $vector)) AS exact
}
WITH m, coalesce(near, exact) AS cosine, lexical
// use: recall_beside
