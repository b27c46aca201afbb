// Locks a resource, made where its id is free, and hides it: it and its threads become Erased, which no other statement finds, and keep
// nothing but their ids. Tells how much hangs on them. `told`: what was told when this was begun before. `exists` is false where there was
// no resource.
// params: tenant, resource, now
// returns: exists, told, threads, turns, messages, chunks, revisions, notices, jobs, fields
// write
MERGE (o:Item {tenant: $tenant, uid: $resource})
ON CREATE SET o:Erased, o.createdAt = $now, o.updatedAt = $now, o.made = true
SET o._lock = true
SET o._lock = null
WITH o, o:Resource OR (o:Erased AND o.made IS NULL) AS exists, o:Resource AS isWhole
SET o.made = null
WITH CASE WHEN exists THEN o END AS r, exists, isWhole
CALL (r) {
  MATCH (r)-[:HAS_THREAD]->(t:Thread|ThreadCopy)
  SET t._lock = true
  RETURN collect(t) AS threads
}
CALL (threads) {
  UNWIND threads AS t
  MATCH (t)-[:HAS_TURN]->(u:Turn)
  RETURN count(u) AS turns, sum(COUNT { (u)-[:HAS_MESSAGE]->() }) AS messages, sum(COUNT { (u)<-[:ON]-(:Job) }) AS turnJobs
}
CALL (threads) {
  UNWIND threads AS t
  MATCH (t)-[:HAS_TURN]->(:Turn)-[:HAS_MESSAGE]->(m:Message)
  RETURN sum(COUNT { (m)-[:HAS_CHUNK]->() }) AS chunks, sum(COUNT { (m)-[:PREVIOUS]->() }) AS revisions
}
CALL (threads) {
  UNWIND threads AS t
  RETURN sum(COUNT { (t)<-[:FOR]-(:Notice) }) AS notices, sum(COUNT { (t)<-[:ON]-(:Job) }) AS threadJobs
}
CALL (r, threads) {
  UNWIND threads + [r] AS owner
  MATCH (owner)-[:HAS_PROFILE]->(:Profile)-[:HAS_FIELD]->(f:Field)
  RETURN count(f) AS fields
}
WITH *, [t IN threads | t.uid] AS ids, r.told AS told
CALL (r, threads, isWhole) {
  UNWIND threads + CASE WHEN isWhole THEN [r] ELSE [] END AS x
  REMOVE x:Thread:ThreadCopy:Resource
  SET x:Erased
  SET x = {tenant: $tenant, uid: x.uid, createdAt: x.createdAt, updatedAt: $now}
}
RETURN exists, told, ids AS threads, turns, messages, chunks, revisions, notices, turnJobs + threadJobs AS jobs, fields
