// The titles of earlier states, as knowledge_title has those of today.
// params: none
// returns: none
// schema
CREATE FULLTEXT INDEX revision_title IF NOT EXISTS FOR (n:Revision) ON EACH [n.searchTitle, n.searchAliases, n.tenantToken, n.facets]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-no-stop-words'}}
