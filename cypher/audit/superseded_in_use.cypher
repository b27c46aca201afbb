CYPHER 25
// Nodes in use although a node in use supersedes them.
// params: none
// returns: tenant, id, problem, detail
// read
MATCH (n:Knowledge)<-[r:SUPERSEDES]-(m:Knowledge)
WHERE r.recordedTo > datetime() AND n.status IN ['draft', 'active'] AND m.status IN ['draft', 'active']
RETURN n.tenant AS tenant, n.uid AS id, 'superseded node in use' AS problem, n.status + ', superseded by ' + m.uid AS detail
ORDER BY tenant, id, detail
