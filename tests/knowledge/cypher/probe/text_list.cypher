// The full-text list of a query, as the index gives it.
// params: tenant, lucene
// returns: uid, score
// read
CALL db.index.fulltext.queryNodes('knowledge_text', $lucene, {limit: 100}) YIELD node, score
WHERE node.tenant = $tenant
RETURN node.uid AS uid, score
