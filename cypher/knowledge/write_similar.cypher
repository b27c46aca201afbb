// Keeps pairs of nodes that say the same, and drops those of the given nodes whose texts are others by now.
// params: tenant, ids, rows, now
// returns: none
// write
CALL () {
  UNWIND $ids AS id
  MATCH (:Item&Knowledge {tenant: $tenant, uid: id})-[r:SIMILAR_TO {state: 'open'}]-(:Knowledge)
  WHERE r.hashes <> [startNode(r).contentHash, endNode(r).contentHash]
  DELETE r
}
UNWIND $rows AS row
MATCH (a:Item&Knowledge {tenant: $tenant, uid: row.from})
MATCH (b:Item&Knowledge {tenant: $tenant, uid: row.to})
MERGE (a)-[r:SIMILAR_TO]->(b)
ON CREATE SET r.tenant = $tenant, r.createdAt = $now, r.state = 'open'
SET r.cosine = row.cosine, r.lexical = row.lexical, r.hashes = row.hashes
