// Has a node be taken from what others were taken from as well.
// params: tenant, uid, ids, merge, now
// returns: added
// write
MATCH (k:Item&Knowledge {tenant: $tenant, uid: $uid})
CALL (k) {
  UNWIND $ids AS id
  MATCH (n:Item&Knowledge {tenant: $tenant, uid: id})-[:DERIVED_FROM]->(d:Document)
  WITH DISTINCT d
  WHERE NOT EXISTS { (k)-[:DERIVED_FROM]->(d) }
  CREATE (k)-[r:DERIVED_FROM {origin: 'explicit', createdAt: $now, openedBy: $merge}]->(d)
  RETURN count(r) AS added
}
RETURN added
