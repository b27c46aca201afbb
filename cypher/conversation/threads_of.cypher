// The threads of resources, those with the newest messages first, so many of each.
// params: tenant, ids, count
// returns: id, thread
// read
UNWIND $ids AS id
CALL (id) {
  MATCH (t:Thread)
  WHERE t.tenant = $tenant AND t.resource = id AND t.lastMessageAt >= datetime({year: 1}) AND t.uid IS NOT NULL
  WITH t ORDER BY t.tenant DESC, t.resource DESC, t.lastMessageAt DESC, t.uid DESC LIMIT $count
  RETURN t
}
WITH id, t ORDER BY id, t.lastMessageAt DESC, t.uid DESC
RETURN id,
// use: thread
