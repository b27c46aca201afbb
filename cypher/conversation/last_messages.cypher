// The newest messages of threads, in order.
// params: tenant, resource, ids, count
// returns: id, message
// read
UNWIND $ids AS id
MATCH (t:Item&Thread {tenant: $tenant, uid: id})
WHERE $resource IS NULL OR t.resource = $resource
CALL (t) {
  MATCH (m:Message)
  WHERE m.tenant = $tenant AND m.thread = t.uid AND m.seq > 0
  WITH m ORDER BY m.tenant DESC, m.thread DESC, m.seq DESC LIMIT $count
  RETURN m
}
WITH id, t, m ORDER BY id, m.seq
RETURN id,
// use: message
