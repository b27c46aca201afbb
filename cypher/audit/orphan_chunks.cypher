CYPHER 25
// Pieces of texts that no node has, or that have other properties than their node, by which searches filter.
// params: none
// returns: tenant, id, problem, detail
// read
MATCH (c:Chunk)
OPTIONAL MATCH (c)<-[:HAS_CHUNK]-(n:Knowledge)
WITH c, count(n) AS nodes, head(collect(n)) AS n
WITH c, CASE
  WHEN nodes = 0 THEN 'no node has it; made for ' + c.node
  WHEN nodes > 1 THEN 'several nodes have it'
  WHEN n.uid <> c.node THEN 'made for ' + c.node + ', had by ' + n.uid
  WHEN any(key IN ['status', 'resource', 'type', 'source', 'confidence', 'validTo'] WHERE n[key] <> c[key])
    THEN 'has other filters than its node ' + c.node
END AS detail
WHERE detail IS NOT NULL
RETURN c.tenant AS tenant, c.uid AS id, 'orphan chunk' AS problem, detail
ORDER BY tenant, id
