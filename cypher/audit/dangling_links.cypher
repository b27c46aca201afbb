CYPHER 25
// Edges that wait for a node which never came.
// params: none
// returns: tenant, id, problem, detail
// read
MATCH (p:PendingLink)
RETURN p.tenant AS tenant, p.uid AS id, 'dangling link' AS problem,
  p.from + ' -' + p.type + '-> ' + p.to + ' waits for ' + p.missing AS detail
ORDER BY tenant, detail
