// Whom a recall in the resource `resource` is about, as `scope`: who speaks there, and when its newest message was said; `known`: whether
// there is such a resource. `t`: the thread named, or null.
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
  RETURN {resource: resource, known: r IS NOT NULL, speakers: CASE WHEN $inThread THEN t.speakers ELSE coalesce(r.speakers, []) END,
    newestAt: CASE WHEN $inThread AND t.lastSeq > 0 THEN t.lastMessageAt ELSE lastAt END} AS scope
}
