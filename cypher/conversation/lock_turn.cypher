// A turn, locked until this transaction ends, and the calls that wait for a result before it: in its thread and in itself;
// and the calls of its thread that it has the result of.
// params: tenant, resource, agent, uid
// returns: threadCalls, openCalls, answeredCalls, turn
// write
MATCH (u:Item&Turn {tenant: $tenant, uid: $uid})
MATCH (t:Item&Thread {tenant: $tenant, uid: u.thread})
WHERE ($resource IS NULL OR t.resource = $resource) AND ($agent IS NULL OR u.agent = $agent)
SET u._lock = true
SET u._lock = null
WITH t, u
RETURN t.openCalls AS threadCalls, u.openCalls AS openCalls, u.answeredCalls AS answeredCalls,
// use: turn
