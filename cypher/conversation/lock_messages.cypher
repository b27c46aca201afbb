// Messages; their threads are locked, in the order of their ids, until this transaction ends.
// params: tenant, resource, ids
// returns: contentHash, message
// write
UNWIND $ids AS id
MATCH (m:Item&Message {tenant: $tenant, uid: id})
WITH m.thread AS thread, collect(m) AS messages ORDER BY thread
MATCH (t:Item&Thread {tenant: $tenant, uid: thread})
WHERE $resource IS NULL OR t.resource = $resource
SET t._lock = true
SET t._lock = null
WITH t, messages WHERE t:Thread AND ($resource IS NULL OR t.resource = $resource)
UNWIND messages AS m
RETURN m.contentHash AS contentHash,
// use: message
