// Documents are found by the folder they were taken from.
// params: none
// returns: none
// schema
CREATE INDEX document_root IF NOT EXISTS FOR (n:Document) ON (n.tenant, n.root, n.path)
