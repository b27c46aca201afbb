// Copies a thread that is locked, up to a place, with vectors and new ids. `created` is false where the new id is in use: then nothing
// of the transaction may be kept. `tail`: the parts of the messages of the last turn that was copied; `unembedded`: the copies whose vectors
// were not made yet. `untitled`: the message that the title was taken from was not copied.
// params: tenant, uid, newId, upTo, oldFacet, newFacet, now
// returns: created, messages, tail, unembedded, untitled
// write
MATCH (s:Item&Thread {tenant: $tenant, uid: $uid})
MATCH (r:Item&Resource {tenant: $tenant, uid: s.resource})
SET r._lock = true
SET r._lock = null
WITH s, r
MERGE (t:Item {tenant: $tenant, uid: $newId})
ON CREATE SET t:Thread, t += s {.resource, .title, .titlePinned, .titleSource, .speakers, .contextType, .topic, .metadata,
  .settings, .facets, .lastMessageAt}, t.messageFacets = replace(s.messageFacets, $oldFacet, $newFacet), t.openCalls = [],
  t.lastSeq = 0, t.messageCount = 0, t.version = 1, t.createdAt = $now, t.updatedAt = $now, t.made = true
WITH s, r, t, coalesce(t.made, false) AS created
SET t.made = null
CREATE (r)-[:HAS_THREAD]->(t)
CREATE (t)-[:CLONED_FROM]->(s)
WITH s, t, created
CALL (s, t, created) {
  WITH s, t WHERE created
  MATCH (s)-[:HAS_TURN]->(u:Turn)
  WHERE u.firstSeq <= $upTo
  CREATE (n:Item:Turn)
  SET n = u {.*, uid: randomUUID(), thread: t.uid, lastSeq: CASE WHEN u.lastSeq > $upTo THEN $upTo ELSE u.lastSeq END}
  CREATE (t)-[:HAS_TURN]->(n)
  WITH s, t, u, n
  MATCH (u)-[:HAS_MESSAGE]->(m:Message)
  WHERE m.seq <= $upTo
  CREATE (c:Item:Message)
  SET c = m {.*, uid: randomUUID(), thread: t.uid, turn: n.uid, facets: replace(m.facets, $oldFacet, $newFacet)}
  CREATE (n)-[:HAS_MESSAGE]->(c)
  FOREACH (same IN CASE WHEN m.uid = s.titleMessage THEN [t] ELSE [] END | SET same.titleMessage = c.uid)
  WITH t, m, c
  CALL (t, m, c) {
    MATCH (m)-[:HAS_CHUNK]->(p:MessageChunk)
    CREATE (q:Item:MessageChunk)
    SET q = p {.*, uid: randomUUID(), thread: t.uid, message: c.uid}
    CREATE (c)-[:HAS_CHUNK]->(q)
  }
  WITH c ORDER BY c.seq
  RETURN collect(c) AS copies
}
CALL (copies) {
  UNWIND range(1, size(copies) - 1) AS at
  WITH copies[at - 1] AS a, copies[at] AS b
  CREATE (a)-[:NEXT]->(b)
}
SET t.lastSeq = coalesce(last(copies).seq, 0), t.messageCount = size([c IN copies WHERE c.deletedAt IS NULL]),
  t.lastMessageAt = CASE WHEN last(copies).createdAt < $now THEN last(copies).createdAt ELSE $now END
RETURN created, size(copies) AS messages, [c IN copies WHERE c.turn = last(copies).turn | c.parts] AS tail,
  [c IN copies WHERE c.text IS NOT NULL AND c.embeddedText IS NULL | c.uid] AS unembedded,
  t.titleSource = 'message' AND t.titleMessage IS NULL AS untitled
