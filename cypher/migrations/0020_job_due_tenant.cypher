// The same within a tenant, for agents that claim work.
// params: none
// returns: none
// schema
CREATE INDEX job_due_tenant IF NOT EXISTS FOR (n:Job) ON (n.tenant, n.kind, n.dueAt)
