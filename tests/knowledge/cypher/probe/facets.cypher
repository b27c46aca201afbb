// The facets of a tenant's nodes and of what they were.
// params: tenant
// returns: facets
// read
MATCH (n:Knowledge|Revision)
WHERE n.tenant = $tenant
RETURN n.facets AS facets
