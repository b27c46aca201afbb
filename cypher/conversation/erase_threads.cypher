// Takes an erased thread, or some of an erased resource, away that have no turns, with their notices, jobs and working memory.
// params: tenant, uid, count
// returns: found
// write
MATCH (:Item&Erased {tenant: $tenant, uid: $uid}) (()-[:HAS_THREAD]->(:Erased)){0,1} (t:Erased)
WHERE EXISTS { (t)<-[:HAS_THREAD]-() } AND NOT EXISTS { (t)-[:HAS_TURN]->() }
WITH t LIMIT $count
SET t._lock = true
WITH collect(CASE WHEN NOT EXISTS { (t)-[:HAS_TURN]->() } THEN t END) AS owners, count(*) AS found
CALL (owners) {
  UNWIND owners AS t
  MATCH (t)<-[:FOR|ON]-(x)
  DETACH DELETE x
}
// use: drop_memory
CALL (owners) {
  UNWIND owners AS t
  DETACH DELETE t
}
RETURN found
