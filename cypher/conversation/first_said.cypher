// The first user messages of a thread that say something, in order.
// params: tenant, thread, count
// returns: message
// read
MATCH (t:Item&Thread {tenant: $tenant, uid: $thread})
CALL (t) {
  MATCH (m:Message)
  WHERE m.tenant = $tenant AND m.thread = t.uid AND m.seq > 0
  WITH m ORDER BY m.tenant, m.thread, m.seq
  WHERE m.role = 'user' AND m.content <> ''
  RETURN m LIMIT $count
}
WITH t, m ORDER BY m.seq
RETURN
// use: message
