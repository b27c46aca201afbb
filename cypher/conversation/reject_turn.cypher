// Throws away what a locked turn staged. `state`: what it is then; an open one has its next attempt and more time.
// params: tenant, uid, state, attempt, reason, now
// returns: turn
// write
MATCH (u:Item&Turn {tenant: $tenant, uid: $uid})
MATCH (t:Item&Thread {tenant: $tenant, uid: u.thread})
CALL (u) {
  MATCH (u)-[:HAS_MESSAGE]->(m:StagedMessage)
  DETACH DELETE m
}
SET u.state = $state, u.attempt = $attempt, u.reason = $reason, u.updatedAt = $now, u.staged = 0, u.openCalls = [],
  u.answeredCalls = [], u.title = null, u.titleMessage = null, u.speakers = []
WITH t, u, $state = 'open' AS isOpen
SET u.expiresAt = CASE WHEN isOpen THEN datetime.realtime('Z') + duration({seconds: u.ttlSeconds}) END,
  u.endedAt = CASE WHEN isOpen THEN null ELSE $now END
RETURN
// use: turn
