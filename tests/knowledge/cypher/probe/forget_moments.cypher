// Takes the time of creation out of the facets of a tenant's nodes, as a version before left them.
// params: tenant
// returns: facets
// write
MATCH (n:Knowledge|Revision)
WHERE n.tenant = $tenant
WITH n, n.facets AS had
SET n.facets = substring(had, 0, size(had) - 34)
RETURN had AS facets
