// Takes a node away for good, with its pieces, earlier states, edges and the names that only it bore.
// params: tenant, uid
// returns: revisions, chunks
// write
MATCH (n:Item&Knowledge {tenant: $tenant, uid: $uid})
CALL (n) {
  OPTIONAL MATCH (n)-[:PREVIOUS]->(v:Revision)
  WITH collect(v) AS revisions
  FOREACH (v IN revisions | DETACH DELETE v)
  RETURN size(revisions) AS revisions
}
CALL (n) {
  OPTIONAL MATCH (n)-[:HAS_CHUNK]->(c:Chunk)
  WITH collect(c) AS chunks
  FOREACH (c IN chunks | DETACH DELETE c)
  RETURN size(chunks) AS chunks
}
CALL (n) {
  MATCH (n)-[r:NAMED]->(m:Name)
  DELETE r
  WITH DISTINCT m
  WHERE NOT EXISTS { (m)<-[:NAMED]-() }
  DELETE m
}
DETACH DELETE n
RETURN revisions, chunks
