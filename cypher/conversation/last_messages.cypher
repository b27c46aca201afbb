// The newest messages of threads, in order.
// params: tenant, resource, ids, count
// returns: id, message
// read
UNWIND $ids AS id
CALL (id) {
  MATCH (m:Message)
  WHERE m.tenant = $tenant AND m.thread = id AND m.seq > 0 AND ($resource IS NULL OR m.resource = $resource)
  WITH m ORDER BY m.tenant DESC, m.thread DESC, m.seq DESC LIMIT $count
  RETURN m
}
WITH id, m ORDER BY id, m.seq
RETURN id,
// use: message
