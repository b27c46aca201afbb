// Workers find the jobs of a kind that are due. Only ready and leased jobs have a due time, so ended ones cost nothing.
// params: none
// returns: none
// schema
CREATE INDEX job_due IF NOT EXISTS FOR (n:Job) ON (n.kind, n.dueAt)
