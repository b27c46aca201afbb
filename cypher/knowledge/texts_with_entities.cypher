// Nodes in use that don't mention an entity, in whose texts it may stand: those where its words stand side by side, by stem.
// params: tenant, rows, open
// returns: ids
// read
UNWIND $rows AS row
CALL (row) {
  CALL db.index.fulltext.queryNodes('knowledge_text', row.lucene) YIELD node AS n
  WHERE n.tenant = $tenant AND n.status IN ['draft', 'active']
    AND NOT EXISTS { (n)-[r:MENTIONS]->(e:Entity) WHERE e.key = row.key AND r.recordedTo = $open }
  RETURN n.uid AS uid
}
RETURN collect(DISTINCT uid) AS ids
