// The change log is read by time.
// params: none
// returns: none
// schema
CREATE INDEX change_at IF NOT EXISTS FOR (n:Change) ON (n.tenant, n.createdAt, n.uid)
