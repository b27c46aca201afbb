// Hides a thread for good: it becomes something Erased, which nothing finds, and keeps nothing but its id. Tells how much hangs on it.
// `speakers` of its resource who speak in no other thread go with it. Fields of the resource that rest on its messages stay, and say that
// their source is gone: `fieldsKept`.
// params: tenant, resource, uid, now
// returns: turns, messages, chunks, revisions, notices, jobs, fields, fieldsKept
// write
MATCH (t:Item&Thread {tenant: $tenant, uid: $uid})
WHERE $resource IS NULL OR t.resource = $resource
SET t._lock = true
WITH t, t.resource AS resource
WHERE t:Thread AND ($resource IS NULL OR t.resource = $resource)
// use: drop_speakers
// Behind the lock on the resource, because a field may be on its way to rest on one of the messages.
// use: part_fields
CALL (t) {
  MATCH (t)-[:HAS_TURN]->(u:Turn)
  RETURN count(u) AS turns, sum(COUNT { (u)-[:HAS_MESSAGE]->() }) AS messages, sum(COUNT { (u)<-[:ON]-(:Job) }) AS turnJobs
}
CALL (t) {
  MATCH (t)-[:HAS_TURN]->(:Turn)-[:HAS_MESSAGE]->(m:Message)
  RETURN sum(COUNT { (m)-[:HAS_CHUNK]->() }) AS chunks, sum(COUNT { (m)-[:PREVIOUS]->() }) AS revisions
}
CALL (t) {
  MATCH (t)-[:HAS_PROFILE]->(:Profile)-[:HAS_FIELD]->(f:Field)
  RETURN count(f) AS fields
}
WITH *, COUNT { (t)<-[:FOR]-(:Notice) } AS notices, COUNT { (t)<-[:ON]-(:Job) } AS threadJobs
REMOVE t:Thread
SET t:Erased, t = {tenant: $tenant, uid: t.uid, createdAt: t.createdAt, updatedAt: $now}
RETURN turns, messages, chunks, revisions, notices, turnJobs + threadJobs AS jobs, fields, parted AS fieldsKept
