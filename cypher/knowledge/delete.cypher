// Takes nodes, which are locked, away for good, with their pieces, earlier states, edges, those that wait, the names and entities that
// only they had, and the notes of merges that they were kept in; other merges note that they lack them (`lost`). Entities don't count
// them any more. A node with more than `most` edges keeps them for now under another id, as something Erased that nothing finds: these
// are `left`.
// params: tenant, ids, most, now
// returns: revisions, chunks, left
// write
UNWIND $ids AS id
MATCH (n:Item&Knowledge {tenant: $tenant, uid: id})
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
  DETACH DELETE m
}
CALL (n) {
  MATCH (n)-[r:MENTIONS]->(e:Entity)
  DELETE r
  RETURN collect(DISTINCT e) AS entities
}
CALL (n) {
  MATCH (n)<-[:MERGED {kept: false}]-(m:Merge)
  SET m.lost = coalesce(m.lost, []) + n.uid
}
CALL (n) {
  CALL (n) {
    MATCH (p:PendingLink {tenant: $tenant, from: n.uid})
    RETURN p AS gone
   UNION
    MATCH (p:PendingLink {tenant: $tenant, to: n.uid})
    RETURN p AS gone
   UNION
    MATCH (n)<-[:MERGED {kept: true}]-(m:Merge)
    RETURN m AS gone
  }
  WITH DISTINCT gone
  DETACH DELETE gone
}
WITH n, revisions, chunks, entities, CASE WHEN COUNT { (n)--() } > $most THEN randomUUID() END AS rest
FOREACH (uid IN CASE WHEN rest IS NULL THEN [] ELSE [rest] END |
  REMOVE n:Knowledge
  SET n:Erased
  SET n = {tenant: $tenant, uid: uid, createdAt: n.createdAt, updatedAt: $now}
)
FOREACH (_ IN CASE WHEN rest IS NULL THEN [1] ELSE [] END | DETACH DELETE n)
WITH sum(revisions) AS revisions, sum(chunks) AS chunks, collect(entities) AS lists, collect(rest) AS left
CALL (lists) {
  UNWIND lists AS entities
  UNWIND entities AS e
  WITH DISTINCT e
  WHERE NOT EXISTS { (e)<-[:MENTIONS]-() }
  DELETE e
}
RETURN revisions, chunks, left
