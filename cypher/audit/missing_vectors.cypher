CYPHER 25
// Nodes and messages to be found whose text has no vector, in a graph that has vectors, and pieces without one.
// params: none
// returns: tenant, id, problem, detail
// read
MATCH (s:IndexState {kind: 'vectors'})
WITH 'embedding_' + s.generation AS live
CALL (live) {
  MATCH (n:Knowledge)
  WHERE n.status IN ['draft', 'active'] AND n[live] IS NULL
  RETURN n.tenant AS tenant, n.uid AS id, n.title AS detail
 UNION ALL
  MATCH (c:Chunk)
  WHERE c.status IN ['draft', 'active'] AND none(key IN keys(c) WHERE key STARTS WITH 'embedding_')
  RETURN c.tenant AS tenant, c.uid AS id, 'chunk of ' + c.node AS detail
 UNION ALL
  MATCH (m:Message)
  WHERE m.text IS NOT NULL AND m[live] IS NULL
  RETURN m.tenant AS tenant, m.uid AS id, 'message ' + m.seq + ' of ' + m.thread AS detail
 UNION ALL
  MATCH (c:MessageChunk)
  WHERE c.text IS NOT NULL AND none(key IN keys(c) WHERE key STARTS WITH 'embedding_')
  RETURN c.tenant AS tenant, c.uid AS id, 'chunk of ' + c.message AS detail
}
RETURN tenant, id, 'missing vector' AS problem, detail
ORDER BY tenant, id
