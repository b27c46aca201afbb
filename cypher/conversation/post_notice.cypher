// Makes a notice for a thread. No row: there is no such thread.
// params: tenant, thread, resource, uid, text, source, expiresAt, now
// returns: uid
// write
MATCH (t:Item&Thread {tenant: $tenant, uid: $thread})
WHERE $resource IS NULL OR t.resource = $resource
SET t._lock = true
SET t._lock = null
WITH t WHERE t:Thread AND ($resource IS NULL OR t.resource = $resource)
CREATE (n:Item:Notice {tenant: $tenant, uid: $uid, text: $text, waitsFor: t.uid, createdAt: $now, updatedAt: $now})
SET n.source = $source, n.thread = t.uid, n.resource = t.resource, n.expiresAt = $expiresAt
CREATE (n)-[:FOR]->(t)
RETURN n.uid AS uid
