// Drops the message vector index of one generation.
// params: none
// returns: none
// schema
DROP INDEX message_vector_GENERATION IF EXISTS
