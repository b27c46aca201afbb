// Exact duplicates are found by the hash of their text.
// params: none
// returns: none
// schema
CREATE INDEX knowledge_hash IF NOT EXISTS FOR (n:Knowledge) ON (n.tenant, n.contentHash)
