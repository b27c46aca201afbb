// Messages of a thread that pass the filter before a place, the last ones first.
// params: tenant, thread, at, roles, since, until, count
// returns: message
// read
MATCH (t:Item&Thread {tenant: $tenant, uid: $thread})
CALL (t) {
  MATCH (m:Message)
  WHERE m.tenant = $tenant AND m.thread = t.uid AND m.seq < $at
  WITH m ORDER BY m.tenant DESC, m.thread DESC, m.seq DESC
  // use: message_filter
  LIMIT $count
  RETURN m
}
WITH t, m ORDER BY m.seq DESC
RETURN
// use: message
