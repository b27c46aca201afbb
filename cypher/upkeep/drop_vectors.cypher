// Removes the vectors of one generation, a thousand at a time.
// params: none
// returns: count
// write
MATCH (n:Knowledge|Revision|Message)
WHERE n.embedding_GENERATION IS NOT NULL
CALL (n) {
  SET n.embedding_GENERATION = null
} IN TRANSACTIONS OF 1000 ROWS
RETURN count(*) AS count
