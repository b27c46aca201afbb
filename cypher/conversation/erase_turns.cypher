// Takes away what `count` turns of an erased thread, or of an erased resource's threads, have, as far as it fits, and those turns that
// have none left.
// params: tenant, uid, count, most
// returns: found
// write
MATCH (:Item&Erased {tenant: $tenant, uid: $uid}) (()-[:HAS_THREAD]->(:Erased)){0,1} (t:Erased)-[:HAS_TURN]->(u:Turn)
WITH u LIMIT $count
SET u._lock = true
WITH collect(u) AS turns
CALL (turns) {
  UNWIND turns AS u
  MATCH (u)-[:HAS_MESSAGE]->(m)
  WITH m LIMIT $most
  SET m._lock = true
  WITH m
  // use: fitting_messages
  RETURN messages
}
CALL (messages) {
  UNWIND messages AS m
  MATCH (m)-[:HAS_CHUNK|PREVIOUS]->(x)
  DETACH DELETE x
}
CALL (messages) {
  UNWIND messages AS m
  DETACH DELETE m
}
CALL (turns) {
  UNWIND turns AS u
  MATCH (u)<-[:ON]-(j:Job)
  DETACH DELETE j
}
WITH turns, size(turns) AS found
CALL (turns) {
  UNWIND turns AS u
  WITH u WHERE NOT EXISTS { (u)-[:HAS_MESSAGE]->() }
  DETACH DELETE u
}
RETURN found
