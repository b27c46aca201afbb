// As change_touched was, but written behind the caller's back, who waits for the log of thousand ids a sixth of a `remember` else. Who
// reads it waits until it is up to date (list_changes_touched).
// params: none
// returns: none
// schema
CREATE FULLTEXT INDEX change_ids IF NOT EXISTS FOR (n:Change) ON EACH [n.tenant, n.touched]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'keyword', `fulltext.eventually_consistent`: true}}
