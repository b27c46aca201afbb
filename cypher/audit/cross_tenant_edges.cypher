CYPHER 25
// Edges from one tenant's item to another's.
// params: none
// returns: tenant, id, problem, detail
// read
MATCH (a:Item)-[r]->(b:Item)
WHERE a.tenant <> b.tenant
RETURN a.tenant AS tenant, a.uid AS id, 'cross-tenant edge' AS problem, type(r) + ' to ' + b.uid + ' of another tenant' AS detail
ORDER BY tenant, id, detail
