// All nodes of a tenant.
// params: tenant
// returns: labels, properties
// read
MATCH (n:Item)
WHERE n.tenant = $tenant AND n.uid IS NOT NULL
RETURN labels(n) AS labels, properties(n) AS properties
