// The first messages of turns, in order; staged ones as long as their turn is open.
// params: tenant, resource, agent, ids, count
// returns: id, message
// read
UNWIND $ids AS id
MATCH (u:Item&Turn {tenant: $tenant, uid: id})
MATCH (t:Item&Thread {tenant: $tenant, uid: u.thread})
WHERE ($resource IS NULL OR t.resource = $resource) AND ($agent IS NULL OR u.agent = $agent)
CALL (u) {
  MATCH (u)-[:HAS_MESSAGE]->(m)
  WHERE m:Message OR (u.state = 'open' AND u.expiresAt > datetime.realtime())
  WITH m ORDER BY coalesce(m.seq, m.order) LIMIT $count
  RETURN m
}
WITH id, t, m ORDER BY id, coalesce(m.seq, m.order)
RETURN id,
// use: message
