// One job of a tenant.
// params: tenant, uid
// returns: job
// read
MATCH (j:Item {tenant: $tenant, uid: $uid}) WHERE j:Job
RETURN j {.*} AS job
