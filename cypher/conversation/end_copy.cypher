// Makes a Thread of a copy that is locked and has all its messages. `tail`: the parts of the messages of its last turn. `untitled`: the
// message that the title was taken from was not copied. `change`: what began the copy.
// params: tenant, uid, now
// returns: tail, untitled, change
// write
MATCH (t:Item&ThreadCopy {tenant: $tenant, uid: $uid})
OPTIONAL MATCH (c:Message {tenant: $tenant, thread: t.uid, seq: t.lastSeq})
CALL (c) {
  MATCH (:Item&Turn {tenant: $tenant, uid: c.turn})-[:HAS_MESSAGE]->(m:Message)
  WITH m ORDER BY m.seq
  RETURN collect(m.parts) AS tail
}
WITH t, c, tail, t.change AS change
REMOVE t:ThreadCopy
SET t:Thread, t.lastMessageAt = CASE WHEN c.createdAt < $now THEN c.createdAt ELSE $now END, t.copyTo = null, t.change = null
RETURN tail, t.titleSource = 'message' AND t.titleMessage IS NULL AS untitled, change
