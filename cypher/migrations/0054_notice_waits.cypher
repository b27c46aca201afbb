// Notices that wait for an agent are found by its name; only they have it there.
// params: none
// returns: none
// schema
CREATE INDEX notice_waits IF NOT EXISTS FOR (n:Notice) ON (n.tenant, n.waitsFor)
