// Sets the names of nodes: the folded titles and aliases by which they are found in texts. Rows are in the order of their keys,
// and tell whether the node is new. The nodes are locked by this transaction.
// params: tenant, ids, rows, now
// returns: none
// write
CALL () {
  UNWIND $ids AS id
  MATCH (n:Item {tenant: $tenant, uid: id})-[r:NAMED]->(old:Name)
  WHERE NOT any(row IN $rows WHERE row.uid = id AND row.key = old.key)
  DELETE r
  WITH DISTINCT old
  WHERE NOT EXISTS { (old)<-[:NAMED]-() }
  DETACH DELETE old
}
UNWIND $rows AS row
MERGE (m:Name {tenant: $tenant, key: row.key})
ON CREATE SET m:Item, m.uid = randomUUID(), m.start = row.start, m.texts = 0, m.common = false, m.createdAt = $now, m.updatedAt = $now
WITH m, row
MATCH (n:Item {tenant: $tenant, uid: row.uid})
WHERE row.new OR NOT EXISTS { (n)-[:NAMED]->(m) }
CREATE (n)-[:NAMED]->(m)
