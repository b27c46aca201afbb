// A resource's threads are listed by creation.
// params: none
// returns: none
// schema
CREATE INDEX thread_created IF NOT EXISTS FOR (n:Thread) ON (n.tenant, n.resource, n.createdAt, n.uid)
