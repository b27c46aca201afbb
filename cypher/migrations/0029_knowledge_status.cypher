// Whether a tenant has superseded nodes is looked up, and its active ones are counted.
// params: none
// returns: none
// schema
CREATE INDEX knowledge_status IF NOT EXISTS FOR (n:Knowledge) ON (n.tenant, n.status)
