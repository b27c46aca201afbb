// Ingested documents, their pieces and the knowledge that stems from them
CYPHER 25
MATCH (d:Document)
WITH d ORDER BY d.updatedAt DESC LIMIT 10
OPTIONAL MATCH p = (d)-[:HAS_CHUNK]->(:Chunk)
OPTIONAL MATCH q = (d)<-[:DERIVED_FROM]-(:Knowledge)
RETURN d, p, q LIMIT 200
