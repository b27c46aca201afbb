// Notices for an agent are found by its name.
// params: none
// returns: none
// schema
CREATE INDEX notice_agent IF NOT EXISTS FOR (n:Notice) ON (n.tenant, n.agent)
