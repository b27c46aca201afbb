// Nodes of any tenant whose text has no vector, by tenant.
// params: none
// returns: tenant, ids
// read
MATCH (n:Knowledge)
WHERE n.embeddedText IS NULL AND n.status IN ['draft', 'active']
RETURN n.tenant AS tenant, collect(n.uid) AS ids
