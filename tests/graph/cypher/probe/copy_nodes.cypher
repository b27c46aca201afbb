// Copies of all nodes of a tenant, each set in a tenant of its own; keys are unique in the whole graph, so they have no copy.
// params: tenant, prefix, copies
// returns: none
// write
UNWIND range(1, $copies) AS copy
MATCH (n:Item)
WHERE n.tenant = $tenant AND NOT n:ApiKey
CREATE (m:$(labels(n)) {tenant: $prefix + copy})
FOREACH (key IN [key IN keys(n) WHERE key <> 'tenant'] | SET m[key] = n[key])
