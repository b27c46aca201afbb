// The open edges of each given node, in and out, strongest first, from behind a place; at most $count of a node, out of $scan looked at.
// params: tenant, resources, statuses, ids, out, in, open, afterKey, scan, count
// returns: id, key, edge, node
// read
UNWIND $ids AS id
MATCH (n:Item&Knowledge {tenant: $tenant, uid: id})
CALL (n) {
  CALL (n) {
    MATCH (n)-[r:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH|MENTIONS]-(m:Knowledge)
    RETURN r, m LIMIT $scan
  }
  WITH r, m, CASE WHEN startNode(r) = n THEN type(r) IN $out ELSE type(r) IN $in END AS wanted
  WHERE wanted AND r.recordedTo = $open AND m.tenant = $tenant AND m.resource IN $resources AND m.status IN $statuses
  WITH r, m, right('000000' + toString(toInteger(1000000 * (1 - coalesce(r.weight, 0)))), 7) + ' ' + m.uid + ' ' + type(r) AS key
  WHERE $afterKey IS NULL OR key > $afterKey
  RETURN r, m, key ORDER BY key LIMIT $count
}
WITH id, key, m AS n,
// use: edge
RETURN id, key, edge,
// use: node
