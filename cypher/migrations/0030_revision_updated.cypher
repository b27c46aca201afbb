// What nodes were is listed by its time.
// params: none
// returns: none
// schema
CREATE INDEX revision_updated IF NOT EXISTS FOR (n:Revision) ON (n.tenant, n.updatedAt)
