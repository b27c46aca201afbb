// How many knowledge nodes in use a tenant has.
// params: tenant
// returns: nodes
// read
MATCH (n:Knowledge) USING INDEX n:Knowledge(tenant, status)
WHERE n.tenant = $tenant AND n.status IN ['draft', 'active']
RETURN count(n) AS nodes
