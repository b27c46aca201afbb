// Turns by id.
// params: tenant, resource, agent, ids
// returns: turn
// read
UNWIND $ids AS id
MATCH (u:Item&Turn {tenant: $tenant, uid: id})
WHERE ($resource IS NULL OR u.resource = $resource) AND ($agent IS NULL OR u.agent = $agent)
  AND EXISTS { (:Item&Thread {tenant: $tenant, uid: u.thread}) }
RETURN
// use: turn
