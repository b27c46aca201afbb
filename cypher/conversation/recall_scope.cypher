// Where a recall looks: the resource, who speaks there, when its newest message was said, threads that have messages, with the newest
// or the oldest first, and how many vectors the excluded messages have; `known`: whether there is such a resource. No row where the thread named is not there, or is another
// resource's. `facets` are those of the threads' metadata.
// params: tenant, resource, thread, inThread, facets, newest, oldest, excluded
// returns: resource, known, speakers, newestAt, newestThreads, oldestThreads, hidden
// read
CALL () {
  OPTIONAL MATCH (t:Item&Thread {tenant: $tenant, uid: $thread})
  WHERE $resource IS NULL OR t.resource = $resource
  RETURN t
}
WITH t, CASE WHEN $thread IS NULL THEN $resource ELSE t.resource END AS resource
WHERE resource IS NOT NULL
CALL (resource) {
  OPTIONAL MATCH (r:Item&Resource {tenant: $tenant, uid: resource})
  RETURN r
}
CALL (resource) {
  MATCH (n:Thread)
  WHERE n.tenant = $tenant AND n.resource = resource AND n.lastMessageAt >= datetime({year: 1}) AND n.uid IS NOT NULL
  WITH n ORDER BY n.tenant DESC, n.resource DESC, n.lastMessageAt DESC, n.uid DESC
  WHERE n.lastSeq > 0
  RETURN n.lastMessageAt AS lastAt LIMIT 1
 UNION ALL
  RETURN null AS lastAt
}
WITH t, resource, r, max(lastAt) AS lastAt
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
RETURN resource, r IS NOT NULL AS known, CASE WHEN $inThread THEN t.speakers ELSE coalesce(r.speakers, []) END AS speakers,
  CASE WHEN $inThread AND t.lastSeq > 0 THEN t.lastMessageAt ELSE lastAt END AS newestAt, newestThreads, oldestThreads, hidden
