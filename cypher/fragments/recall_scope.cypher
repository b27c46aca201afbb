// Where a recall in the resource `resource` looks, as `scope`: who speaks there, when its newest message was said, threads that have messages,
// with the newest or the oldest first, and how many vectors the excluded messages have; `known`: whether there is such a resource. `t`: the
// thread named, or null. `facets` are those of the threads' metadata.
CALL (t, resource) {
  CALL (resource) {
    OPTIONAL MATCH (r:Item&Resource {tenant: $tenant, uid: resource})
    RETURN r
  }
  CALL (resource) {
    MATCH (n:Thread)
    WHERE n.tenant = $tenant AND n.resource = resource AND n.lastMessageAt >= datetime({year: 1}) AND n.uid IS NOT NULL
    WITH n ORDER BY n.tenant DESC, n.resource DESC, n.lastMessageAt DESC, n.uid DESC
    WHERE n.lastSeq > 0
    WITH n LIMIT 1
    RETURN max(n.lastMessageAt) AS lastAt
  }
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
  RETURN {resource: resource, known: r IS NOT NULL, speakers: CASE WHEN $inThread THEN t.speakers ELSE coalesce(r.speakers, []) END,
    newestAt: CASE WHEN $inThread AND t.lastSeq > 0 THEN t.lastMessageAt ELSE lastAt END,
    newestThreads: newestThreads, oldestThreads: oldestThreads, hidden: hidden} AS scope
}
