// The change log is read by action.
// params: none
// returns: none
// schema
CREATE INDEX change_action IF NOT EXISTS FOR (n:Change) ON (n.tenant, n.action, n.createdAt, n.uid)
