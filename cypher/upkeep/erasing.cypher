// The resource, where its erasure is not over.
// params: tenant, resource
// returns: id
// read
MATCH (r:Item&Erased {tenant: $tenant, uid: $resource})
RETURN r.uid AS id
