// The threads that threads are linked with, either way; only those of the same resource.
// params: tenant, resource, ids, open, count
// returns: id, thread
// read
UNWIND $ids AS id
MATCH (s:Item&Thread {tenant: $tenant, uid: id})
WHERE $resource IS NULL OR s.resource = $resource
CALL (s) {
  MATCH (s)-[e:RELATED_TO]-(t:Thread)
  WHERE e.recordedTo = $open AND t.tenant = $tenant AND t.resource = s.resource
  WITH DISTINCT t ORDER BY t.lastMessageAt DESC, t.uid LIMIT $count
  RETURN t
}
RETURN id,
// use: thread
