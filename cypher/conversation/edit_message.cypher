// Gives a message whose thread is locked other parts, and makes it the next version; what it said before becomes a revision.
// `untitled`: the thread's title was taken from it.
// params: tenant, uid, revision, properties, now
// returns: version, untitled
// write
MATCH (m:Item&Message {tenant: $tenant, uid: $uid})
MATCH (t:Item&Thread {tenant: $tenant, uid: m.thread})
SET m._lock = true
WITH m, t, CASE WHEN m.recordedFrom > $now THEN m.recordedFrom ELSE $now END AS begins
CREATE (v:Item:MessageRevision)
SET v = m {.tenant, .thread, .resource, .turn, .seq, .role, .speaker, .agent, .parts, .content, .contentHash, .tokens, .version,
  .createdAt, .updatedAt, .recordedFrom},
  v.uid = $revision, v.recordedTo = begins
CREATE (m)-[:PREVIOUS]->(v)
SET m += $properties, m.version = m.version + 1, m.updatedAt = $now, m.recordedFrom = begins, m.embeddedText = null,
  m.embedding_GENERATION = null, m.embedding_NEXT = null, m._lock = null
WITH t, m, [m.seq] AS seqs
CALL (m) {
  MATCH (m)-[:HAS_CHUNK]->(c:MessageChunk)
  DETACH DELETE c
}
// use: rebuild_contexts
RETURN m.version AS version, t.titleSource = 'message' AND coalesce(t.titleMessage, m.uid) = m.uid AS untitled
