// Nodes of any tenant whose text has no vector.
// params: count
// returns: tenant, ids
// read
MATCH (n:Knowledge)
WHERE n.embeddedText IS NULL AND n.status IN ['draft', 'active']
WITH n.tenant AS tenant, n.uid AS uid LIMIT $count
RETURN tenant, collect(uid) AS ids
