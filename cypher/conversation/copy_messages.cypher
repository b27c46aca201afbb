// Copies the next messages of a thread into a copy that was begun, with their turns, pieces and vectors; both threads are locked until this
// transaction ends. `lost`: the thread is gone, or another resource's now, or what was copied of it was corrected since: the versions of its
// messages and of the copies don't add up to the same. `unembedded`: the copies whose vectors were not made yet. No row: there is no such
// copy, or it is done.
// params: tenant, uid, most
// returns: lost, more, unembedded
// write
MATCH (t:Item&ThreadCopy {tenant: $tenant, uid: $uid})
OPTIONAL MATCH (t)-[:CLONED_FROM]->(o:Thread)
SET o._lock = true, t._lock = true
SET o._lock = null, t._lock = null
WITH t, CASE WHEN o:Thread AND o.resource = t.resource THEN o END AS s, t.lastSeq AS from, t.copyTo AS upTo
WHERE t:ThreadCopy
CALL (s, from, upTo) {
  MATCH (m:Message)
  WHERE m.tenant = $tenant AND m.thread = s.uid AND m.seq > from AND m.seq <= upTo
  WITH m ORDER BY m.tenant, m.thread, m.seq LIMIT $most
  // use: fitting_messages
  RETURN messages
}
OPTIONAL MATCH (p:Message {tenant: $tenant, thread: s.uid, seq: from})
OPTIONAL MATCH (q:Message {tenant: $tenant, thread: t.uid, seq: from})
CALL (t, s, p, q, upTo, messages) {
  UNWIND messages AS m
  WITH t, s, p, q, upTo, m.turn AS turn, collect(m) AS said
  MATCH (u:Item&Turn {tenant: $tenant, uid: turn})
  CALL (t, p, q, u, upTo) {
    // The turn that the copy broke off in goes on.
    WITH q, u, p WHERE u.uid = p.turn
    MATCH (n:Item&Turn {tenant: $tenant, uid: q.turn})
    RETURN n
   UNION ALL
    WITH t, p, u, upTo WHERE p IS NULL OR u.uid <> p.turn
    CREATE (n:Item:Turn)
    SET n = u {.*, uid: randomUUID(), thread: t.uid, lastSeq: CASE WHEN u.lastSeq > upTo THEN upTo ELSE u.lastSeq END}
    CREATE (t)-[:HAS_TURN]->(n)
    RETURN n
  }
  UNWIND said AS m
  CREATE (c:Item:Message)
  SET c = m {.*, uid: randomUUID(), thread: t.uid, resource: t.resource, turn: n.uid,
    facets: t.messageFacets + substring(m.facets, size(t.messageFacets))}
  CREATE (n)-[:HAS_MESSAGE]->(c)
  FOREACH (same IN CASE WHEN m.uid = s.titleMessage THEN [t] ELSE [] END | SET same.titleMessage = c.uid)
  WITH t, m, c
  CALL (t, m, c) {
    MATCH (m)-[:HAS_CHUNK]->(x:MessageChunk)
    CREATE (y:Item:MessageChunk)
    SET y = x {.*, uid: randomUUID(), thread: t.uid, resource: t.resource, message: c.uid}
    CREATE (c)-[:HAS_CHUNK]->(y)
  }
  WITH c ORDER BY c.seq
  RETURN collect(c) AS copies
}
CALL (q, copies) {
  UNWIND range(0, size(copies) - 1) AS at
  WITH CASE at WHEN 0 THEN q ELSE copies[at - 1] END AS a, copies[at] AS b
  WHERE a IS NOT NULL
  CREATE (a)-[:NEXT]->(b)
}
WITH t, s, upTo, copies, coalesce(last(copies).seq, from) AS copied
SET t.lastSeq = copied, t.messageCount = t.messageCount + size([c IN copies WHERE c.deletedAt IS NULL])
WITH t, s, upTo, copies, copied
CALL (t, s, upTo, copied) {
  MATCH (m:Message)
  WHERE copied >= upTo AND m.tenant = $tenant AND m.thread = s.uid AND m.seq > 0 AND m.seq <= upTo
  WITH t, sum(m.version) AS versions
  MATCH (c:Message)
  WHERE c.tenant = $tenant AND c.thread = t.uid AND c.seq > 0
  WITH versions, sum(c.version) AS theirs
  WHERE versions <> theirs
  RETURN count(*) AS corrected
}
RETURN s IS NULL OR corrected > 0 AS lost, copied < upTo AS more, [c IN copies WHERE c.text IS NOT NULL AND c.embeddedText IS NULL | c.uid] AS unembedded
