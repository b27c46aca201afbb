// What a context starts from: a thread with its newest messages and notices, the turn named and what it has staged, the working
// memory of both scopes, and whom a recall is about (`scope`). `turn` is null where the thread has no such turn. `asked`: the last
// user message, however far back, where `look` is 1. No row: there is no such thread.
// params: tenant, resource, agent, toldTo, hears, thread, turn, count, look, memory, notices, inThread
// returns: staged, messages, asked, notices, memories, scope, turn, thread
// read
MATCH (t:Item&Thread {tenant: $tenant, uid: $thread})
WHERE $resource IS NULL OR t.resource = $resource
OPTIONAL MATCH (u:Item&Turn {tenant: $tenant, uid: $turn})
WHERE u.thread = $thread AND ($agent IS NULL OR u.agent = $agent)
CALL (u) {
  MATCH (u)-[:HAS_MESSAGE]->(m:StagedMessage)
  WITH m ORDER BY m.order
  WITH
  // use: context_line
  RETURN collect(line) AS staged
}
CALL (t) {
  MATCH (m:Message)
  WHERE m.tenant = $tenant AND m.thread = t.uid AND m.seq > 0 AND m.deletedAt IS NULL
  WITH m ORDER BY m.tenant DESC, m.thread DESC, m.seq DESC LIMIT $count
  WITH m ORDER BY m.seq
  WITH
  // use: context_line
  RETURN collect(line) AS messages
}
CALL (t) {
  MATCH (m:Message)
  USING INDEX m:Message(tenant, thread, role, seq)
  WHERE m.tenant = $tenant AND m.thread = t.uid AND m.role = 'user' AND m.seq > 0 AND m.deletedAt IS NULL
  WITH m ORDER BY m.tenant DESC, m.thread DESC, m.role DESC, m.seq DESC LIMIT $look
  WITH
  // use: context_line
  RETURN collect(line) AS asked
}
CALL (t, u) {
  CALL (t, u) {
    MATCH (n:Notice)
    WHERE n.tenant = $tenant AND n.waitsFor = t.uid AND n.thread = t.uid
    RETURN n
   UNION ALL
    WITH coalesce($toldTo, u.agent) AS agent
    WHERE $hears
    MATCH (n:Notice)
    WHERE n.tenant = $tenant AND n.waitsFor = agent AND n.agent = agent
    RETURN n
  }
  WITH n
  WHERE n.acknowledgedAt IS NULL AND (n.expiresAt IS NULL OR n.expiresAt > datetime.realtime())
  WITH n ORDER BY n.createdAt, n.uid LIMIT $notices
  WITH
  // use: notice
  RETURN collect(notice) AS notices
}
CALL (t) {
  CALL (t) {
    RETURN t AS o, 'thread' AS scope
   UNION ALL
    MATCH (o:Item&Resource {tenant: $tenant, uid: t.resource})
    RETURN o, 'resource' AS scope
  }
  WITH t, o, scope WHERE $memory
  // use: memory_of
  WITH o.uid AS owner, t.resource AS resource, scope,
  // use: profile
  RETURN collect({owner: owner, resource: resource, scope: scope, profile: profile, fields: fields}) AS memories
}
WITH *, t.resource AS resource
// use: recall_scope
RETURN staged, messages, asked, notices, memories, scope,
// use: turn
,
// use: thread
