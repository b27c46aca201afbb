CYPHER 25
// Active nodes with the same text about the same resource.
// params: none
// returns: tenant, id, problem, detail
// read
MATCH (n:Knowledge)
WHERE n.status IN ['draft', 'active']
WITH n.tenant AS tenant, n.contentHash AS hash, collect(n.uid) AS ids
WHERE size(ids) > 1
UNWIND ids AS id
RETURN tenant, id, 'duplicate content' AS problem,
  'same text as ' + reduce(text = '', other IN [x IN ids WHERE x <> id] | text + CASE text WHEN '' THEN '' ELSE ', ' END + other) AS detail
ORDER BY tenant, id
