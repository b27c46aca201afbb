// How many entries a tenant's change log has for each action.
// params: tenant
// returns: action, count
// read
MATCH (c:Change)
WHERE c.tenant = $tenant AND c.createdAt IS NOT NULL AND c.uid IS NOT NULL
RETURN c.action AS action, count(*) AS count
