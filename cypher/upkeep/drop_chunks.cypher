// Deletes the pieces of long texts that were made for one generation of vectors, a thousand at a time.
// params: none
// returns: count
// write
MATCH (c:Chunk|MessageChunk)
WHERE c.embedding_GENERATION IS NOT NULL
CALL (c) {
  DETACH DELETE c
} IN TRANSACTIONS OF 1000 ROWS
RETURN count(*) AS count
