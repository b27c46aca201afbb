// How many knowledge nodes a tenant has.
// params: tenant
// returns: nodes
// read
MATCH (n:Knowledge {tenant: $tenant})
RETURN count(n) AS nodes
