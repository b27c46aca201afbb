// Nodes in use that don't mention a node, in whose texts its name may stand: those where its words stand side by side, by stem.
// params: tenant, rows, open
// returns: ids
// read
UNWIND $rows AS row
MATCH (t:Item&Knowledge {tenant: $tenant, uid: row.uid})
CALL (row, t) {
  CALL db.index.fulltext.queryNodes('knowledge_text', row.lucene) YIELD node AS n
  WHERE n.tenant = $tenant AND n <> t AND n.status IN ['draft', 'active']
    AND NOT EXISTS { (n)-[r:MENTIONS]->(t) WHERE r.recordedTo = $open }
  RETURN n.uid AS uid
}
RETURN collect(DISTINCT uid) AS ids
