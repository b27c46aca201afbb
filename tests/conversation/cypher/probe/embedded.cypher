// Which messages of a thread have a vector, and how many pieces.
// params: tenant, thread
// returns: uid, embeddedText, pieces, dimension
// read
MATCH (m:Message)
WHERE m.tenant = $tenant AND m.thread = $thread AND m.seq > 0
RETURN m.uid AS uid, m.embeddedText AS embeddedText, size(m.embedding_GENERATION) AS dimension,
  COUNT { (m)-[:HAS_CHUNK]->(:MessageChunk) } AS pieces
ORDER BY m.seq
