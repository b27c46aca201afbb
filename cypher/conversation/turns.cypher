// Turns by id.
// params: tenant, resource, agent, ids
// returns: turn
// read
UNWIND $ids AS id
MATCH (u:Item&Turn {tenant: $tenant, uid: id})
MATCH (t:Item&Thread {tenant: $tenant, uid: u.thread})
WHERE ($resource IS NULL OR t.resource = $resource) AND ($agent IS NULL OR u.agent = $agent)
RETURN
// use: turn
