// Open turns are found by the end of their time; only they have one.
// params: none
// returns: none
// schema
CREATE INDEX turn_due IF NOT EXISTS FOR (n:Turn) ON (n.tenant, n.expiresAt)
