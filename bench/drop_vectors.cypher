// Drops the vector index, so that a next graph's does not stand on the remains of this one's.
// params: none
// returns: none
// schema
DROP INDEX knowledge_vector_GENERATION IF EXISTS
