// Leaves of messages, whose thread is locked, that there was one: no words, parts, vector, pieces or earlier versions. Fields of
// working memory that rest on them say so. `untitled`: the thread's title was taken from one of them.
// params: tenant, thread, ids, calls, now
// returns: chunks, revisions, untitled
// write
MATCH (t:Item&Thread {tenant: $tenant, uid: $thread})
CALL (t) {
  UNWIND $ids AS id
  MATCH (m:Item&Message {tenant: $tenant, uid: id, thread: t.uid})
  SET m.parts = '[]', m.content = null, m.contentHash = null, m.text = null, m.context = null, m.embeddedText = null,
    m.embedding_GENERATION = null, m.embedding_NEXT = null, m.tenantToken = null, m.facets = null, m.isQuestion = false, m.words = 0,
    m.hasTimeWord = false, m.tokens = 0, m.deletedAt = $now, m.updatedAt = $now, m.version = m.version + 1
  RETURN collect(m) AS messages
}
SET t.messageCount = t.messageCount - size(messages), t.updatedAt = $now, t.openCalls = [x IN t.openCalls WHERE NOT x IN $calls]
WITH t, messages, [m IN messages | m.seq] AS seqs
CALL (messages) {
  UNWIND messages AS m
  MATCH (m)-[:HAS_CHUNK]->(c:MessageChunk)
  DETACH DELETE c
  RETURN count(*) AS chunks
}
CALL (messages) {
  UNWIND messages AS m
  MATCH (m)-[:PREVIOUS]->(v:MessageRevision)
  DETACH DELETE v
  RETURN count(*) AS revisions
}
CALL (messages) {
  UNWIND messages AS m
  MATCH (f:Field)-[:FROM]->(m)
  SET f.sourceGone = true
}
// use: rebuild_contexts
RETURN chunks, revisions,
  t.titleSource = 'message' AND (t.titleMessage IS NULL OR t.titleMessage IN $ids) AS untitled
