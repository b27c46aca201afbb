// Only nodes with more words than an atomic note should have carry the number, so the index is small.
// params: none
// returns: none
// schema
CREATE INDEX knowledge_over_long IF NOT EXISTS FOR (n:Knowledge) ON (n.tenant, n.overLong, n.uid)
