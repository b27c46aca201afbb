// Of the next $scan nodes, newest first, from behind a place (null: the beginning), at most $count that are in use and have no open
// edge; and the last that was looked at.
// params: tenant, resources, bound, open, afterTime, afterId, scan, count
// returns: nodes, looked, last
// read
MATCH (n:Knowledge)
USING INDEX n:Knowledge(tenant, createdAt, uid)
WHERE n.tenant = $tenant AND n.uid IS NOT NULL
  AND n.createdAt <= coalesce($afterTime, datetime({year: 9999, month: 12, day: 31}))
  AND ($afterTime IS NULL OR n.createdAt < $afterTime OR n.uid < $afterId)
WITH n ORDER BY n.tenant DESC, n.createdAt DESC, n.uid DESC LIMIT $scan
WITH collect(n) AS seen
CALL (seen) {
  UNWIND seen AS n
  WITH n
  WHERE n.status = 'active' AND n.resource IN $resources AND ($bound IS NULL OR n.resource = $bound)
    AND NOT EXISTS { (n)-[r:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH|MENTIONS]-(:Knowledge) WHERE r.recordedTo = $open }
  WITH n LIMIT $count
  WITH
  // use: node
  RETURN collect(node) AS nodes
}
WITH nodes, size(seen) AS looked, last(seen) AS n
RETURN nodes, looked, n {.createdAt, .uid} AS last
