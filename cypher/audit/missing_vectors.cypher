CYPHER 25
// Nodes to be found whose text has no vector, in a graph that has vectors, and chunks without one.
// params: none
// returns: tenant, id, problem, detail
// read
MATCH (n:Knowledge|Chunk)
WHERE EXISTS { (:IndexState {kind: 'knowledge'}) }
  AND n.status IN ['draft', 'active'] AND none(key IN keys(n) WHERE key STARTS WITH 'embedding_')
RETURN n.tenant AS tenant, n.uid AS id, 'missing vector' AS problem,
  coalesce(n.title, 'chunk of ' + n.node) AS detail
ORDER BY tenant, id
