CYPHER 25
// Active nodes with the same text about the same resource; of many, ten are named.
// params: none
// returns: tenant, id, problem, detail
// read
MATCH (n:Knowledge)
WHERE n.status IN ['draft', 'active']
WITH n.tenant AS tenant, n.contentHash AS hash, n.uid AS id ORDER BY id
WITH tenant, hash, collect(id) AS ids
WHERE size(ids) > 1
UNWIND ids AS id
WITH tenant, id, [other IN ids[..11] WHERE other <> id][..10] AS others
RETURN tenant, id, 'duplicate content' AS problem,
  'same text as ' + reduce(text = head(others), other IN tail(others) | text + ', ' + other) AS detail
ORDER BY tenant, id
