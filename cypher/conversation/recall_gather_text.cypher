// As recall_gather, without vectors: there is no embedder, or the graph has none.
// params: tenant, resource, threads, agent, roles, since, until, lucene, count, dense, named, bonus, best, beside
// returns: rows, cosines, lexicals
// read
CALL () {
  // use: recall_text
}
// use: recall_best
