// All threads of a tenant are listed by creation.
// params: none
// returns: none
// schema
CREATE INDEX thread_tenant IF NOT EXISTS FOR (n:Thread) ON (n.tenant, n.createdAt, n.uid)
