// Messages by id; staged ones are not among them.
// params: tenant, resource, ids
// returns: message
// read
UNWIND $ids AS id
MATCH (m:Item&Message {tenant: $tenant, uid: id})
MATCH (t:Item&Thread {tenant: $tenant, uid: m.thread})
WHERE $resource IS NULL OR t.resource = $resource
RETURN
// use: message
