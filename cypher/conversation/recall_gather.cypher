// What a recall ranks: the best messages by full text and by vector, with the exact cosine of all of them, the best of them and those beside them.
// $lucene null leaves out the text list. `narrow` says what of the filter the vector index has to look at.
// params: tenant, resource, threads, agent, roles, since, until, narrow, lucene, vector, count, dense, named, bonus, best, beside
// returns: rows, cosines, lexicals
// read
CALL () {
  // use: recall_text
 UNION ALL
  // use: recall_vector
}
WITH m, max(cosine) AS near, max(lexical) AS lexical
WITH m, lexical, CASE WHEN near IS NOT NULL THEN near ELSE
  reduce(best = vector.similarity.cosine(m.embedding_GENERATION, $vector),
    piece IN [(m)-[:HAS_CHUNK]->(c:MessageChunk) | vector.similarity.cosine(c.embedding_GENERATION, $vector)] |
    CASE WHEN best IS NULL OR piece > best THEN piece ELSE best END) END AS cosine
// use: recall_best
