// The newest message of a role is found however many others came since.
// params: none
// returns: none
// schema
CREATE INDEX message_role IF NOT EXISTS FOR (n:Message) ON (n.tenant, n.thread, n.role, n.seq)
