// Gives a locked thread to another resource, with its turns, messages, pieces, notices, working memory and speakers; the fields of
// the resource that it leaves are parted from its messages. Nothing may be kept where `isResource` is false.
// params: tenant, uid, resource, oldFacet, newFacet, open, now
// returns: isResource
// write
MATCH (t:Item&Thread {tenant: $tenant, uid: $uid})
MERGE (r:Item {tenant: $tenant, uid: $resource})
ON CREATE SET r:Resource, r.speakers = [], r.metadata = '{}', r.version = 1, r.createdAt = $now, r.updatedAt = $now
SET r._lock = true
SET r._lock = null
WITH t, r, t.resource AS resource
// use: drop_speakers
// use: part_fields
CALL (t) {
  MATCH (:Resource)-[e:HAS_THREAD]->(t)
  DELETE e
}
CREATE (r)-[:HAS_THREAD]->(t)
SET r.speakers = (r.speakers + [x IN t.speakers WHERE NOT x IN r.speakers])[..100], t.resource = $resource,
  t.messageFacets = replace(t.messageFacets, $oldFacet, $newFacet)
WITH t, r
CALL (t) {
  MATCH (t)-[e:RELATED_TO]-(:Thread)
  WHERE e.recordedTo = $open
  SET e.recordedTo = $now
}
CALL (t) {
  MATCH (n:Notice)-[:FOR]->(t)
  SET n.resource = $resource
}
CALL (t) {
  MATCH (t)-[:HAS_TURN]->(u:Turn)
  SET u.resource = $resource
  WITH u
  MATCH (u)-[:HAS_MESSAGE]->(m)
  SET m.resource = $resource, m.facets = replace(m.facets, $oldFacet, $newFacet)
  WITH m
  CALL (m) {
    MATCH (m)-[:HAS_CHUNK|PREVIOUS]->(x)
    SET x.resource = $resource
  }
}
RETURN r:Resource AS isResource
