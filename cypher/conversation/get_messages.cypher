// Messages by id; staged ones are not among them.
// params: tenant, resource, ids
// returns: message
// read
UNWIND $ids AS id
MATCH (m:Item&Message {tenant: $tenant, uid: id})
WHERE ($resource IS NULL OR m.resource = $resource)
  AND EXISTS { (:Item&Thread {tenant: $tenant, uid: m.thread}) }
RETURN
// use: message
