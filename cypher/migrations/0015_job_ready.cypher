// Workers look for jobs by state and due time.
// params: none
// returns: none
// schema
CREATE INDEX job_ready IF NOT EXISTS FOR (n:Job) ON (n.state, n.runAfter)
