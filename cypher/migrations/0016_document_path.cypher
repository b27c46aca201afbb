// A document is found by its path.
// params: none
// returns: none
// schema
CREATE INDEX document_path IF NOT EXISTS FOR (n:Document) ON (n.tenant, n.path)
