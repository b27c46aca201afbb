// Texts are searched with stemming. Tenant and facets are hashed tokens in the same index, so that they filter inside it.
// params: none
// returns: none
// schema
CREATE FULLTEXT INDEX knowledge_text IF NOT EXISTS FOR (n:Knowledge) ON EACH [n.searchTitle, n.searchAliases, n.searchContent, n.tenantToken, n.facets]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}
