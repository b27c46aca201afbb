// As recall_gather, without vectors: there is no embedder, or the graph has none.
// params: tenant, resource, agent, roles, since, until, lucene, count, beside
// returns: rows
// read
CALL () {
  // use: recall_text
}
// use: recall_beside
