// Nodes in use in whose texts something looked for may stand: those where its words stand side by side, by stem.
// params: tenant, lucene
// returns: ids
// read
CALL db.index.fulltext.queryNodes('knowledge_text', $lucene) YIELD node AS n
WHERE n.tenant = $tenant AND n.status IN ['draft', 'active']
RETURN collect(n.uid) AS ids
