CYPHER 25
// Nodes and messages to be found whose text has no vector, in a graph that has vectors, and pieces without one.
// params: none
// returns: tenant, id, problem, detail
// read
CALL () {
  MATCH (n:Knowledge|Chunk)
  WHERE EXISTS { (:IndexState {kind: 'knowledge'}) }
    AND n.status IN ['draft', 'active'] AND none(key IN keys(n) WHERE key STARTS WITH 'embedding_')
  RETURN n.tenant AS tenant, n.uid AS id, coalesce(n.title, 'chunk of ' + n.node) AS detail
 UNION ALL
  MATCH (m:Message|MessageChunk)
  WHERE EXISTS { (:IndexState {kind: 'message'}) }
    AND m.text IS NOT NULL AND none(key IN keys(m) WHERE key STARTS WITH 'embedding_')
  RETURN m.tenant AS tenant, m.uid AS id, coalesce('message ' + m.seq + ' of ' + m.thread, 'chunk of ' + m.message) AS detail
}
RETURN tenant, id, 'missing vector' AS problem, detail
ORDER BY tenant, id
