// Resources are listed by creation.
// params: none
// returns: none
// schema
CREATE INDEX resource_created IF NOT EXISTS FOR (n:Resource) ON (n.tenant, n.createdAt, n.uid)
