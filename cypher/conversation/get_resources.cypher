// Resources by id.
// params: tenant, ids
// returns: resource
// read
UNWIND $ids AS id
MATCH (r:Item&Resource {tenant: $tenant, uid: id})
RETURN
// use: resource
