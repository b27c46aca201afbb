// Puts what a turn staged behind its thread's last message, under the thread's lock. No row: there is no such turn. `committed` is
// false, and nothing changes, where it is not open any more. `lost`: calls it has results of that do not wait for one in the thread now;
// then nothing of the transaction may be kept. `memory`: the hash of what it made known.
// params: tenant, resource, agent, uid, tenantToken, memory, now
// returns: committed, state, attempt, thread, firstSeq, lastSeq, ids, hashes, lost, memory
// write
MATCH (u:Item&Turn {tenant: $tenant, uid: $uid})
MATCH (t:Item&Thread {tenant: $tenant, uid: u.thread})
WHERE ($resource IS NULL OR t.resource = $resource) AND ($agent IS NULL OR u.agent = $agent)
SET t._lock = true
SET u._lock = true
WITH t, u, t.lastSeq AS base, u.state = 'open' AND u.expiresAt > datetime.realtime() AS isOpen,
  [x IN u.answeredCalls WHERE NOT x IN t.openCalls] AS lost
WHERE t:Thread AND ($resource IS NULL OR t.resource = $resource)
SET t._lock = null, u._lock = null
WITH *
CALL (t, u, base, isOpen) {
  WITH t, u, base, isOpen
  MATCH (u)-[:HAS_MESSAGE]->(m:StagedMessage)
  WHERE isOpen
  WITH m ORDER BY m.order
  RETURN collect(m) AS made
}
WITH *, isOpen AND size(made) > 0 AS fills
CALL (t, base, fills) {
  MATCH (p:Message)
  WHERE fills AND p.tenant = $tenant AND p.thread = t.uid AND p.seq > base - 4 AND p.seq <= base
  WITH p ORDER BY p.seq
  RETURN collect(p) AS before
}
CALL (t, base, before, made) {
  WITH t, base, made, size(before) AS had, [p IN before + made | p.text] AS texts
  UNWIND range(0, size(made) - 1) AS at
  WITH t, made[at] AS m, base + 1 + at AS seq,
    {own: texts[had + at], before: texts[CASE WHEN had + at < 4 THEN 0 ELSE had + at - 4 END..had + at]} AS window
  REMOVE m:StagedMessage
  SET m.order = null, m.seq = seq, m.resource = t.resource, m.facets = t.messageFacets + ' ' + m.facets,
    m.tenantToken = $tenantToken, m.version = 1, m.recordedFrom = $now, m.updatedAt = $now, m.context =
// use: message_context
  SET m:Message
}
CALL (before, made) {
  UNWIND range(0, size(made) - 1) AS at
  WITH CASE at WHEN 0 THEN last(before) ELSE made[at - 1] END AS a, made[at] AS b
  WHERE a IS NOT NULL
  CREATE (a)-[:NEXT]->(b)
}
CALL (t, u, base, made, fills) {
  WITH t, u, base, made, t.openCalls AS openCalls, fills,
    t.title IS NULL AND NOT t.titlePinned AND u.title IS NOT NULL AS names
  WHERE fills
  SET t.lastSeq = base + size(made), t.messageCount = t.messageCount + size(made), t.updatedAt = $now,
    t.lastMessageAt = CASE WHEN last(made).createdAt < $now THEN last(made).createdAt ELSE $now END,
    t.openCalls = ([x IN openCalls WHERE NOT x IN u.answeredCalls + u.openCalls] + u.openCalls)[-1000..],
    t.titleSource = CASE WHEN names THEN 'message' ELSE t.titleSource END,
    t.titleMessage = CASE WHEN names THEN u.titleMessage ELSE t.titleMessage END,
    t.title = CASE WHEN names THEN u.title ELSE t.title END
  WITH t, u.speakers AS speakers
// use: add_speakers
}
CALL (u, base, made, isOpen, fills) {
  WITH u, base, made, fills WHERE isOpen
  SET u.state = 'committed', u.endedAt = $now, u.updatedAt = $now, u.expiresAt = null, u.ttlSeconds = null, u.staged = null,
    u.openCalls = null, u.answeredCalls = null, u.title = null, u.titleMessage = null, u.speakers = null, u.memory = $memory,
    u.firstSeq = CASE WHEN fills THEN base + 1 END, u.lastSeq = CASE WHEN fills THEN base + size(made) END
}
WITH *
CALL (u) {
  MATCH (u)-[:HAS_MESSAGE]->(m:Message)
  WITH m ORDER BY m.seq
  RETURN collect(m) AS said
}
RETURN isOpen AS committed, CASE WHEN u.state = 'open' THEN 'expired' ELSE u.state END AS state, u.attempt AS attempt, t.uid AS thread,
  u.firstSeq AS firstSeq, u.lastSeq AS lastSeq, [m IN said | m.uid] AS ids, [m IN said | m.contentHash] AS hashes,
  coalesce(lost, []) AS lost, u.memory AS memory
