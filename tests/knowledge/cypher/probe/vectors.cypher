// What of a node and its pieces has a vector, made from which text.
// params: tenant, uid
// returns: vector, text, pieces
// read
MATCH (n:Item {tenant: $tenant, uid: $uid})
RETURN n.embedding_GENERATION IS NOT NULL AS vector, n.embeddedText AS text,
  COUNT { (n)-[:HAS_CHUNK]->(c:Chunk) WHERE c.embedding_GENERATION IS NOT NULL } AS pieces
