// Nodes of any tenant that have, or should have, a vector, by tenant.
// params: none
// returns: tenant, ids
// read
MATCH (n:Knowledge)
WHERE n.embeddedText IS NOT NULL OR n.status IN ['draft', 'active']
RETURN n.tenant AS tenant, collect(n.uid) AS ids
