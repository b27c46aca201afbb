// Takes an erased resource away that has no threads, with its working memory and the jobs on it.
// params: tenant, resource
// returns: none
// write
MATCH (r:Item&Erased {tenant: $tenant, uid: $resource})
SET r._lock = true
WITH r WHERE NOT EXISTS { (r)-[:HAS_THREAD]->() }
WITH collect(r) AS owners
CALL (owners) {
  UNWIND owners AS r
  MATCH (r)<-[:ON]-(j:Job)
  DETACH DELETE j
}
// use: drop_memory
CALL (owners) {
  UNWIND owners AS r
  DETACH DELETE r
}
