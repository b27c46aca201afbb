// Titles are searched word by word, for questions that consist of stop words alone.
// params: none
// returns: none
// schema
CREATE FULLTEXT INDEX knowledge_title IF NOT EXISTS FOR (n:Knowledge) ON EACH [n.searchTitle, n.searchAliases, n.tenantToken, n.facets]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-no-stop-words'}}
