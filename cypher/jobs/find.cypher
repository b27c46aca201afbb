// One job of a tenant.
// params: tenant, uid
// returns: job
// read
MATCH (j:Item {tenant: $tenant, uid: $uid})
USING INDEX SEEK j:Item(tenant, uid)
WHERE j:Job
RETURN j {.*} AS job
