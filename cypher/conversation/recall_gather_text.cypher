// As recall_gather, without vectors: there is no embedder, or the graph has none.
// params: tenant, resource, threads, agent, roles, since, until, lucene, count, beside
// returns: candidates, near
// read
CALL () {
  // use: recall_text
}
// use: recall_beside
