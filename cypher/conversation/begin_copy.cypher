// Begins the copy of a thread that is locked: nothing reads it until it is a Thread. `created` is false where the new id is in use: then
// nothing of the transaction may be kept. `messages`: how many it will have.
// params: tenant, uid, newId, upTo, messageFacets, change, now
// returns: created, messages
// write
MATCH (s:Item&Thread {tenant: $tenant, uid: $uid})
MATCH (r:Item&Resource {tenant: $tenant, uid: s.resource})
SET r._lock = true
SET r._lock = null
WITH s, r
MERGE (t:Item {tenant: $tenant, uid: $newId})
ON CREATE SET t:ThreadCopy, t += s {.resource, .title, .titlePinned, .titleSource, .speakers, .contextType, .topic, .metadata, .facets},
  t.messageFacets = $messageFacets, t.openCalls = [], t.lastSeq = 0, t.messageCount = 0, t.version = 1, t.createdAt = $now, t.updatedAt = $now,
  t.copyTo = CASE WHEN $upTo < s.lastSeq THEN $upTo ELSE s.lastSeq END, t.change = $change, t.made = true
WITH s, r, t, coalesce(t.made, false) AS created
SET t.made = null
CREATE (r)-[:HAS_THREAD]->(t)
CREATE (t)-[:CLONED_FROM]->(s)
RETURN created, t.copyTo AS messages
