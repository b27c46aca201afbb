// The open edges that callers made of nodes, each once; at most $count.
// params: tenant, ids, open, count
// returns: from, to, type, properties
// read
UNWIND $ids AS id
MATCH (n:Item&Knowledge {tenant: $tenant, uid: id})-[r:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH]-(:Knowledge)
WHERE r.recordedTo = $open
WITH DISTINCT r LIMIT $count
RETURN startNode(r).uid AS from, endNode(r).uid AS to, type(r) AS type, properties(r) AS properties
