CYPHER 25
// Pieces of texts that no node or message has, or that have other properties than theirs, by which searches filter.
// params: none
// returns: tenant, id, problem, detail
// read
CALL () {
  MATCH (c:Chunk)
  RETURN c, coalesce(c.node, 'nothing') AS made, [(c)<-[:HAS_CHUNK]-(n:Knowledge) | n] AS owners,
    ['status', 'resource', 'type', 'source', 'confidence', 'validTo'] AS filters
 UNION ALL
  MATCH (c:MessageChunk)
  RETURN c, coalesce(c.message, 'nothing') AS made, [(c)<-[:HAS_CHUNK]-(m:Message) | m] AS owners,
    ['thread', 'resource', 'role', 'agent', 'createdAt'] AS filters
}
WITH c, made, owners, filters, head(owners) AS n
WITH c, CASE
  WHEN size(owners) = 0 THEN 'nothing has it; made for ' + made
  WHEN size(owners) > 1 THEN 'several have it'
  WHEN n.uid <> made THEN 'made for ' + made + ', had by ' + n.uid
  // What only one of the two has is another value, too: a comparison with it gives null.
  WHEN any(key IN filters WHERE NOT coalesce(n[key] = c[key], n[key] IS NULL AND c[key] IS NULL))
    THEN 'has other filters than ' + made + ', of which it is a piece'
END AS detail
WHERE detail IS NOT NULL
RETURN c.tenant AS tenant, c.uid AS id, 'orphan chunk' AS problem, detail
ORDER BY tenant, id
