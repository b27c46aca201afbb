CYPHER 25
// Nodes that supersede themselves by way of others.
// params: none
// returns: tenant, id, problem, detail
// read
MATCH (n:Knowledge)
WHERE EXISTS { (n)-[r:SUPERSEDES]->() WHERE r.recordedTo > datetime() }
  AND EXISTS { ()-[r:SUPERSEDES]->(n) WHERE r.recordedTo > datetime() }
MATCH p = ANY SHORTEST (n)-[rs:SUPERSEDES WHERE rs.recordedTo > datetime()]->+(n)
RETURN n.tenant AS tenant, n.uid AS id, 'supersedes cycle' AS problem,
  reduce(text = head(nodes(p)).uid, x IN tail(nodes(p)) | text + ' -> ' + x.uid) AS detail
ORDER BY tenant, id
