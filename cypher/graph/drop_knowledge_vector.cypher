// Drops the knowledge vector index of one generation.
// params: none
// returns: none
// schema
DROP INDEX knowledge_vector_GENERATION IF EXISTS
