// What nodes were is searched as knowledge_text searches what they are.
// params: none
// returns: none
// schema
CREATE FULLTEXT INDEX revision_text IF NOT EXISTS FOR (n:Revision) ON EACH [n.searchTitle, n.searchAliases, n.searchContent, n.tenantToken, n.facets]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}
