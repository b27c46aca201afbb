// A tenant's jobs are listed and counted by state, newest first.
// params: none
// returns: none
// schema
CREATE INDEX job_list IF NOT EXISTS FOR (n:Job) ON (n.tenant, n.state, n.uid)
