// Takes the vector from a node and from its chunks.
// params: tenant, uid
// returns: none
// write
MATCH (n:Item {tenant: $tenant, uid: $uid})
OPTIONAL MATCH (n)-[:HAS_CHUNK]->(c:Chunk)
WITH n, collect(c) AS chunks
SET n.embedding_GENERATION = null
FOREACH (c IN chunks | SET c.embedding_GENERATION = null)
