CYPHER 25
// Nodes to be found whose text has no vector, in a graph that has vectors, and chunks without one.
// params: none
// returns: tenant, id, problem, detail
// read
MATCH (s:IndexState {kind: 'vectors'})
WITH head(collect(s)) AS s
MATCH (n:Knowledge|Chunk)
WHERE s IS NOT NULL AND n.status IN ['draft', 'active'] AND CASE
  WHEN n:Knowledge THEN n['embedding_' + s.generation] IS NULL
  ELSE none(key IN keys(n) WHERE key STARTS WITH 'embedding_')
END
RETURN n.tenant AS tenant, n.uid AS id, 'missing vector' AS problem,
  coalesce(n.title, 'chunk of ' + n.node) AS detail
ORDER BY tenant, id
