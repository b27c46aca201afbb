// Where a recall looks: whom it is about, threads that have messages, with the newest or the oldest first, and how many vectors the excluded
// messages have. No row: the thread named is not there, or is another resource's. `facets` are those of the threads' metadata.
// params: tenant, resource, thread, inThread, facets, newest, oldest, excluded
// returns: scope, newestThreads, oldestThreads, hidden
// read
CALL () {
  OPTIONAL MATCH (t:Item&Thread {tenant: $tenant, uid: $thread})
  WHERE $resource IS NULL OR t.resource = $resource
  RETURN t
}
WITH t, CASE WHEN $thread IS NULL THEN $resource ELSE t.resource END AS resource
WHERE resource IS NOT NULL
// use: recall_scope
CALL (resource) {
  MATCH (n:Thread)
  WHERE n.tenant = $tenant AND n.resource = resource AND n.lastMessageAt >= datetime({year: 1}) AND n.uid IS NOT NULL
  WITH n ORDER BY n.tenant DESC, n.resource DESC, n.lastMessageAt DESC, n.uid DESC
  WHERE n.lastSeq > 0 AND all(facet IN $facets WHERE n.facets CONTAINS facet)
  WITH n LIMIT $newest
  RETURN collect(n.uid) AS newestThreads
}
CALL (resource) {
  MATCH (n:Thread)
  WHERE n.tenant = $tenant AND n.resource = resource AND n.lastMessageAt >= datetime({year: 1}) AND n.uid IS NOT NULL
  WITH n ORDER BY n.tenant, n.resource, n.lastMessageAt, n.uid
  WHERE n.lastSeq > 0 AND all(facet IN $facets WHERE n.facets CONTAINS facet)
  WITH n LIMIT $oldest
  RETURN collect(n.uid) AS oldestThreads
}
CALL (resource) {
  UNWIND $excluded AS uid
  MATCH (m:Item&Message {tenant: $tenant, uid: uid})
  WHERE m.resource = resource
  RETURN sum(1 + COUNT { (m)-[:HAS_CHUNK]->() }) AS hidden
}
RETURN scope, newestThreads, oldestThreads, hidden
