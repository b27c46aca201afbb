// Gives a locked thread to another resource, with its turns, notices, working memory and speakers; the fields of the resource that it
// leaves are parted from its messages. These are the other's from now on; what recall finds them by is brought over by bring_messages.
// Nothing may be kept where `isResource` is false, or `moving` is true: then another move of it is not over.
// params: tenant, uid, resource, messageFacets, open, now
// returns: isResource, moving
// write
MATCH (t:Item&Thread {tenant: $tenant, uid: $uid})
MERGE (r:Item {tenant: $tenant, uid: $resource})
ON CREATE SET r:Resource, r.speakers = [], r.metadata = '{}', r.version = 1, r.createdAt = $now, r.updatedAt = $now
SET r._lock = true
SET r._lock = null
WITH t, r, t.resource AS resource, t.movedSeq IS NOT NULL AS moving
// use: drop_speakers
// use: part_fields
CALL (t) {
  MATCH (:Resource)-[e:HAS_THREAD]->(t)
  DELETE e
}
CREATE (r)-[:HAS_THREAD]->(t)
SET r.speakers = (r.speakers + [x IN t.speakers WHERE NOT x IN r.speakers])[..100], t.resource = $resource,
  t.messageFacets = $messageFacets, t.movedSeq = 0
WITH t, r, moving
CALL (t) {
  MATCH (t)-[e:RELATED_TO]-(:Thread)
  WHERE e.recordedTo = $open
  SET e.recordedTo = CASE WHEN e.recordedFrom > $now THEN e.recordedFrom ELSE $now END
}
CALL (t) {
  MATCH (n:Notice)-[:FOR]->(t)
  SET n.resource = $resource
}
RETURN r:Resource AS isResource, moving
