// Brings some messages of a thread that was moved over to its resource, with their pieces and earlier versions. The thread is locked until
// this transaction ends. No row: it is not there, or has none left.
// params: tenant, uid, most
// returns: more
// write
MATCH (t:Item&Thread {tenant: $tenant, uid: $uid})
SET t._lock = true
SET t._lock = null
WITH t, t.movedSeq AS from
WHERE t:Thread AND from IS NOT NULL
CALL (t, from) {
  MATCH (m:Message)
  WHERE m.tenant = $tenant AND m.thread = t.uid AND m.seq > from
  WITH m ORDER BY m.tenant, m.thread, m.seq LIMIT $most
  // use: fitting_messages
  RETURN messages
}
CALL (t, messages) {
  UNWIND messages AS m
  SET m.resource = t.resource, m.facets = t.messageFacets + substring(m.facets, size(t.messageFacets))
  WITH t, m
  CALL (t, m) {
    MATCH (m)-[:HAS_CHUNK|PREVIOUS]->(x)
    SET x.resource = t.resource
  }
}
WITH t, coalesce(last(messages).seq, t.lastSeq) AS brought
SET t.movedSeq = CASE WHEN brought < t.lastSeq THEN brought END
RETURN t.movedSeq IS NOT NULL AS more
