// Takes a thread away with all that stems from it alone. Its turns and messages are locked before what hangs on them is looked for: it
// may be on its way, under their locks. `speakers` of its resource who speak in no other thread go with it. Fields of
// the resource that rest on its messages stay, and say that their source is gone: `fieldsKept`.
// params: tenant, resource, uid
// returns: resource, turns, messages, chunks, revisions, notices, jobs, fields, fieldsKept
// write
MATCH (t:Item&Thread {tenant: $tenant, uid: $uid})
WHERE $resource IS NULL OR t.resource = $resource
SET t._lock = true
WITH t, t.resource AS resource
WHERE t:Thread
CALL (t) {
  MATCH (t)-[:HAS_TURN]->(u:Turn)
  SET u._lock = true
}
CALL (t) {
  MATCH (t)-[:HAS_TURN]->(:Turn)-[:HAS_MESSAGE]->(m)
  SET m._lock = true
}
// use: part_fields
CALL (t) {
  OPTIONAL MATCH (t)-[:HAS_PROFILE]->(p:Profile)
  OPTIONAL MATCH (p)-[:HAS_FIELD]->(f:Field)
  OPTIONAL MATCH (f)-[:PREVIOUS]->(v:FieldRevision)
  OPTIONAL MATCH (p)-[:PREVIOUS]->(w:ProfileRevision)
  WITH collect(DISTINCT p) + collect(DISTINCT v) + collect(DISTINCT w) AS rest, collect(DISTINCT f) AS gone
  FOREACH (x IN rest + gone | DETACH DELETE x)
  RETURN size(gone) AS fields
}
CALL (t) {
  MATCH (t)-[:HAS_TURN]->(:Turn)-[:HAS_MESSAGE]->(:Message)-[:HAS_CHUNK]->(c:MessageChunk)
  DETACH DELETE c
  RETURN count(*) AS chunks
}
CALL (t) {
  MATCH (t)-[:HAS_TURN]->(:Turn)-[:HAS_MESSAGE]->(:Message)-[:PREVIOUS]->(v:MessageRevision)
  DETACH DELETE v
  RETURN count(*) AS revisions
}
CALL (t) {
  MATCH (t)-[:HAS_TURN]->(:Turn)-[:HAS_MESSAGE]->(m)
  DETACH DELETE m
  RETURN count(*) AS messages
}
CALL (t) {
  MATCH (t)-[:HAS_TURN]->(:Turn)<-[:ON]-(j:Job)
  DETACH DELETE j
  RETURN count(*) AS turnJobs
}
CALL (t) {
  MATCH (t)<-[:ON]-(j:Job)
  DETACH DELETE j
  RETURN count(*) AS threadJobs
}
CALL (t) {
  MATCH (t)-[:HAS_TURN]->(u:Turn)
  DETACH DELETE u
  RETURN count(*) AS turns
}
CALL (t) {
  MATCH (n:Notice)-[:FOR]->(t)
  DETACH DELETE n
  RETURN count(*) AS notices
}
// use: drop_speakers
DETACH DELETE t
RETURN resource, turns, messages, chunks, revisions, notices, turnJobs + threadJobs AS jobs, fields, parted AS fieldsKept
