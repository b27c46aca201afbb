// Pending edges are found when their missing end arrives.
// params: none
// returns: none
// schema
CREATE INDEX pending_link IF NOT EXISTS FOR (n:PendingLink) ON (n.tenant, n.missing)
