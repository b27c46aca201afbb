// Opens a turn in a thread, or tells what stands under its id. No row: there is no such thread. `created` is false where the id is
// in use: then nothing of the transaction may be kept.
// params: tenant, thread, resource, uid, agent, ttl, now
// returns: created, isTurn, turn
// write
MATCH (t:Item&Thread {tenant: $tenant, uid: $thread})
WHERE $resource IS NULL OR t.resource = $resource
SET t._lock = true
SET t._lock = null
WITH t WHERE t:Thread AND ($resource IS NULL OR t.resource = $resource)
MERGE (u:Item {tenant: $tenant, uid: $uid})
ON CREATE SET u:Turn, u.thread = t.uid, u.state = 'open', u.attempt = 1, u.agent = $agent,
  u.ttlSeconds = $ttl, u.expiresAt = datetime.realtime('Z') + duration({seconds: $ttl}), u.createdAt = $now, u.updatedAt = $now,
  u.staged = 0, u.openCalls = [], u.answeredCalls = [], u.speakers = [], u.made = true
WITH t, u, coalesce(u.made, false) AS created
SET u.made = null
CREATE (t)-[:HAS_TURN]->(u)
RETURN created, u:Turn AND u.thread = t.uid AS isTurn,
// use: turn
