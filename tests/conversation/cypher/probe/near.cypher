// The nearest of a tenant's messages and pieces by vector.
// params: tenant, vector
// returns: uid, resource
// read
MATCH (n:Message|MessageChunk)
SEARCH n IN (VECTOR INDEX message_vector_GENERATION FOR $vector WHERE n.tenant = $tenant LIMIT 20)
RETURN n.uid AS uid, n.resource AS resource
