// The edges of nodes that a merge closed or opened, each once, as they are now.
// params: tenant, ids, merge
// returns: from, to, type, properties
// read
UNWIND $ids AS id
MATCH (n:Item&Knowledge {tenant: $tenant, uid: id})-[r:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH]-(:Knowledge)
WHERE r.closedBy = $merge OR r.openedBy = $merge
WITH DISTINCT r
RETURN startNode(r).uid AS from, endNode(r).uid AS to, type(r) AS type, properties(r) AS properties
