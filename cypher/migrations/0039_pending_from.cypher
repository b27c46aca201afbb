// Pending edges are found when the end that is there goes or is merged.
// params: none
// returns: none
// schema
CREATE INDEX pending_from IF NOT EXISTS FOR (n:PendingLink) ON (n.tenant, n.from)
