// The pieces of a long text are found by their node.
// params: none
// returns: none
// schema
CREATE INDEX chunk_node IF NOT EXISTS FOR (n:Chunk) ON (n.tenant, n.node)
