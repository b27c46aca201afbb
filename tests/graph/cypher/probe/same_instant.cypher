// When a tenant's item was made, and whether that is the given instant.
// params: tenant, instant
// returns: instant, same
// read
MATCH (n:Item)
WHERE n.tenant = $tenant AND n.uid IS NOT NULL
RETURN n.createdAt AS instant, n.createdAt = $instant AS same
