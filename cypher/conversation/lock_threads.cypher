// Threads, locked in the order of their ids until this transaction ends.
// params: tenant, resource, ids
// returns: thread
// write
UNWIND $ids AS id
MATCH (t:Item&Thread {tenant: $tenant, uid: id})
WHERE $resource IS NULL OR t.resource = $resource
SET t._lock = true
SET t._lock = null
WITH t WHERE t:Thread AND ($resource IS NULL OR t.resource = $resource)
RETURN
// use: thread
