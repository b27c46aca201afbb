// Drops the revision vector index of one generation.
// params: none
// returns: none
// schema
DROP INDEX revision_vector_GENERATION IF EXISTS
