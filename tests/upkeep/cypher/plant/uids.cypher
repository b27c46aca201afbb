// The ids of a tenant's items of a label.
// params: tenant, label
// returns: uid
// read
MATCH (n:Item {tenant: $tenant})
WHERE $label IN labels(n)
RETURN n.uid AS uid ORDER BY uid
