// All edges of a tenant.
// params: tenant
// returns: type, start, end, properties
// read
MATCH (a:Item)-[r]->(b:Item)
WHERE a.tenant = $tenant AND a.uid IS NOT NULL
RETURN type(r) AS type, labels(a) AS start, labels(b) AS end, properties(r) AS properties
