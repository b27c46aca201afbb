// Nodes in whose texts a name may stand: those where its words stand side by side, by stem.
// params: tenant, rows, count
// returns: ids
// read
UNWIND $rows AS lucene
CALL (lucene) {
  CALL db.index.fulltext.queryNodes('knowledge_text', lucene, {limit: $count}) YIELD node AS n
  WHERE n.tenant = $tenant
  RETURN n.uid AS uid
}
RETURN collect(DISTINCT uid) AS ids
