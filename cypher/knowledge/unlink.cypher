// Closes open edges, and takes back pending ones; the former stay for reads of the past. An edge that is neither has no row.
// params: tenant, resources, rows, open, now
// returns: from, to, type
// write
UNWIND $rows AS row
CALL (row) {
  MATCH (a:Item&Knowledge {tenant: $tenant, uid: row.from})
  MATCH (b:Item&Knowledge {tenant: $tenant, uid: row.to})
  WHERE a.resource IN $resources AND b.resource IN $resources
  MATCH (a)-[r:$(row.type) {recordedTo: $open}]->(b)
  SET r.recordedTo = $now, r.validTo = CASE WHEN r.validTo > $now THEN $now ELSE r.validTo END
  RETURN 1 AS done
 UNION ALL
  MATCH (p:Item&PendingLink {tenant: $tenant, uid: row.pendingId})
  DETACH DELETE p
  RETURN 1 AS done
}
RETURN row.from AS from, row.to AS to, row.type AS type
