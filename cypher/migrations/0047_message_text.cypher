// Messages are searched with stemming, alone and with what was said before them. Tenant and facets are hashed tokens, as with knowledge.
// params: none
// returns: none
// schema
CREATE FULLTEXT INDEX message_text IF NOT EXISTS FOR (n:Message) ON EACH [n.text, n.context, n.tenantToken, n.facets]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}
