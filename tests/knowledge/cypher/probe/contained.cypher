// The names that stand in a tenant's texts, and in which.
// params: tenant
// returns: key, texts, common, uid
// read
MATCH (m:Name {tenant: $tenant})<-[:CONTAINS]-(n:Knowledge)
RETURN m.key AS key, m.texts AS texts, m.common AS common, n.uid AS uid
