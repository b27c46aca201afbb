// Knowledge nodes are listed by creation.
// params: none
// returns: none
// schema
CREATE INDEX knowledge_created IF NOT EXISTS FOR (n:Knowledge) ON (n.tenant, n.createdAt, n.uid)
