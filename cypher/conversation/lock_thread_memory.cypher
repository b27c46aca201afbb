// The working memory of a thread, to be changed: the thread is locked until this transaction ends. No row: there is no such thread.
// params: tenant, resource, thread
// returns: owner, resource, isOwner, profile, fields
// write
MATCH (o:Item&Thread {tenant: $tenant, uid: $thread})
WHERE $resource IS NULL OR o.resource = $resource
SET o._lock = true
SET o._lock = null
WITH o WHERE o:Thread AND ($resource IS NULL OR o.resource = $resource)
// use: memory_states
RETURN o.uid AS owner, o.resource AS resource, true AS isOwner,
// use: profile
