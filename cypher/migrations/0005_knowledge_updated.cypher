// Knowledge nodes are listed by their last change.
// params: none
// returns: none
// schema
CREATE INDEX knowledge_updated IF NOT EXISTS FOR (n:Knowledge) ON (n.tenant, n.updatedAt, n.uid)
