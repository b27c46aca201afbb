CYPHER 25
// Vectors in use that have another number of dimensions than the index: it doesn't hold them.
// params: none
// returns: tenant, id, problem, detail
// read
MATCH (s:IndexState {kind: 'vectors'})
WITH head(collect(s)) AS s
MATCH (n:Knowledge|Chunk)
WITH n, s, size(n['embedding_' + s.generation]) AS size
WHERE size <> s.dimension
RETURN n.tenant AS tenant, n.uid AS id, 'wrong-size vector' AS problem,
  size + ' dimensions where the index has ' + s.dimension AS detail
ORDER BY tenant, id
