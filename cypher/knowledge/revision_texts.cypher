// What nodes once said, where it has no vector.
// params: tenant, ids
// returns: id, title, content
// read
UNWIND $ids AS id
MATCH (n:Item&Knowledge {tenant: $tenant, uid: id})-[:PREVIOUS]->(v:Revision)
WHERE v.embedding_GENERATION IS NULL
RETURN v.uid AS id, v.title AS title, v.content AS content
