CYPHER 25
// Vectors in use that no search by meaning finds: of another number of dimensions than their index, or of zeros only.
// params: none
// returns: tenant, id, problem, detail
// read
MATCH (s:IndexState {kind: 'vectors'})
WITH 'embedding_' + s.generation AS live, s.dimension AS dimension
MATCH (n:Knowledge|Chunk|Revision|Message|MessageChunk)
WITH n, n[live] AS vector, dimension
WITH n, CASE
  WHEN size(vector) <> dimension THEN ['wrong-size vector', size(vector) + ' dimensions where the index has ' + dimension]
  WHEN all(x IN vector WHERE x = 0) THEN ['zero vector', 'all its ' + dimension + ' numbers are 0']
END AS fault
WHERE fault IS NOT NULL
RETURN n.tenant AS tenant, n.uid AS id, fault[0] AS problem, fault[1] AS detail
ORDER BY tenant, id
