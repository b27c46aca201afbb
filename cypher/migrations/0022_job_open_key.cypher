// Of the jobs that wait and were never started, one has a key.
// params: none
// returns: none
// schema
CREATE CONSTRAINT job_open_key IF NOT EXISTS FOR (n:Job) REQUIRE (n.tenant, n.kind, n.openKey) IS UNIQUE
