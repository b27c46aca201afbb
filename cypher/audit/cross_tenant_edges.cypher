CYPHER 25
// Edges from one tenant's item to another's. What the other is, its own tenant's key must not learn here: look it up by the id.
// params: none
// returns: tenant, id, problem, detail
// read
MATCH (a:Item)-[r]->(b:Item)
WHERE a.tenant <> b.tenant
RETURN a.tenant AS tenant, a.uid AS id, 'cross-tenant edge' AS problem, type(r) + ' to an item of another tenant' AS detail
ORDER BY tenant, id, detail
