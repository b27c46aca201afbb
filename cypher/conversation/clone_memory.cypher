// Gives the copy of a thread what the thread's working memory says, without what it said before; what rests on a message that was not
// copied is left out.
// params: tenant, newId, change, now
// returns: fields
// write
MATCH (t:Item&Thread {tenant: $tenant, uid: $newId})-[:CLONED_FROM]->(:Thread)-[:HAS_PROFILE]->(p:Profile)
CREATE (q:Item:Profile)
SET q = p {.*, uid: randomUUID(), owner: t.uid, version: 1, defined: CASE WHEN p.kind IS NULL THEN 0 ELSE 1 END, definedAt: $now,
  createdAt: $now, updatedAt: $now}
CREATE (t)-[:HAS_PROFILE]->(q)
WITH t, p, q
CALL (t, p, q) {
  MATCH (p)-[:HAS_FIELD]->(f:Field)
  WHERE f.value IS NOT NULL
  OPTIONAL MATCH (f)-[:FROM]->(m:Message)
  OPTIONAL MATCH (c:Message {tenant: $tenant, thread: t.uid, seq: m.seq})
  WITH q, f, m, c
  WHERE m IS NULL OR c IS NOT NULL
  CREATE (g:Item:Field)
  SET g = f {.*, uid: randomUUID(), profile: q.uid, version: 1, at: 1, source: coalesce(c.uid, f.source), createdAt: $now,
    updatedAt: $now, recordedFrom: $now, change: $change}
  CREATE (q)-[:HAS_FIELD]->(g)
  WITH g, c WHERE c IS NOT NULL
  CREATE (g)-[:FROM]->(c)
}
RETURN COUNT { (q)-[:HAS_FIELD]->(:Field) } AS fields
