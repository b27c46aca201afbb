// The ids of a tenant's items, one for each node.
// params: tenant
// returns: uid
// read
MATCH (n:Item)
WHERE n.tenant = $tenant AND n.uid IS NOT NULL
RETURN n.uid AS uid ORDER BY uid
