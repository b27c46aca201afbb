// The same from the other end.
// params: none
// returns: none
// schema
CREATE INDEX pending_to IF NOT EXISTS FOR (n:PendingLink) ON (n.tenant, n.to)
