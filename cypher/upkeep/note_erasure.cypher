// Keeps what was told of an erasure, for a caller who goes on with it.
// params: tenant, resource, told
// returns: none
// write
MATCH (r:Item&Erased {tenant: $tenant, uid: $resource})
SET r.told = $told
