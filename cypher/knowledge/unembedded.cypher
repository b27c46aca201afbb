// Nodes of any tenant that lack a vector of this generation, for what they say or once said, by tenant. `settled`: how many of them
// were not written since $since.
// params: since
// returns: tenant, ids, settled
// read
MATCH (n:Knowledge)
WHERE n.embedding_GENERATION IS NULL AND (n.embeddedText IS NOT NULL OR n.status IN ['draft', 'active'])
  OR EXISTS { (n)-[:PREVIOUS]->(v:Revision) WHERE v.embedding_GENERATION IS NULL AND v.embeddedText IS NOT NULL }
RETURN n.tenant AS tenant, collect(n.uid) AS ids, sum(CASE WHEN n.updatedAt < $since THEN 1 ELSE 0 END) AS settled
