// Nodes in use in whose texts a node's name may stand, by the stems of its words side by side, without this being noted; or without an
// edge to the node, unless the name stands in too many.
// params: tenant, rows, open
// returns: ids
// read
UNWIND $rows AS row
MATCH (t:Item&Knowledge {tenant: $tenant, uid: row.uid})-[:NAMED]->(m:Name)
WHERE m.key = row.key
CALL (row, t, m) {
  CALL db.index.fulltext.queryNodes('knowledge_text', row.lucene) YIELD node AS n
  WHERE n.tenant = $tenant AND n <> t AND n.status IN ['draft', 'active']
    AND (NOT EXISTS { (n)-[:CONTAINS]->(m) }
      OR NOT m.common AND NOT EXISTS { (n)-[r:MENTIONS]->(t) WHERE r.recordedTo = $open })
  RETURN n.uid AS uid
}
RETURN collect(DISTINCT uid) AS ids
