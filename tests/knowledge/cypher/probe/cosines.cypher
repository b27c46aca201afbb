// The similarity of each node of a tenant with a vector.
// params: tenant, vector
// returns: uid, score
// read
MATCH (n:Knowledge {tenant: $tenant})
WHERE n.embedding_GENERATION IS NOT NULL
RETURN n.uid AS uid, vector.similarity.cosine(n.embedding_GENERATION, $vector) AS score
