// Threads by id.
// params: tenant, resource, ids
// returns: thread
// read
UNWIND $ids AS id
MATCH (t:Item&Thread {tenant: $tenant, uid: id})
WHERE $resource IS NULL OR t.resource = $resource
RETURN
// use: thread
