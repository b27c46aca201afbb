// The change log is read by the ids that calls touched. Each id, and the tenant, is one word of the index, as it stands.
// params: none
// returns: none
// schema
CREATE FULLTEXT INDEX change_touched IF NOT EXISTS FOR (n:Change) ON EACH [n.tenant, n.touched]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'keyword'}}
