// Locks the ends of edges, whose `ids` are in order, closes those that are open, and takes back pending ones; the former stay for reads
// of the past. An edge that is neither has no row;
// one that may be seen but not closed, since neither end is about $bound (null: any will do), is told as forbidden.
// params: tenant, resources, bound, ids, rows, open, now
// returns: from, to, type, forbidden
// write
CALL () {
  UNWIND $ids AS id
  MATCH (n:Item {tenant: $tenant, uid: id})
  SET n._lock = true
  SET n._lock = null
}
UNWIND $rows AS row
CALL (row) {
  MATCH (a:Item&Knowledge {tenant: $tenant, uid: row.from})
  MATCH (b:Item&Knowledge {tenant: $tenant, uid: row.to})
  WHERE a.resource IN $resources AND b.resource IN $resources
  MATCH (a)-[r:$(row.type) {recordedTo: $open}]->(b)
  SET r._lock = true
  SET r._lock = null
  WITH a, b, r WHERE r.recordedTo = $open
  WITH r, coalesce(a.resource <> $bound AND b.resource <> $bound, false) AS forbidden,
// use: end
    AS end
  SET r.recordedTo = CASE WHEN forbidden THEN $open ELSE end END,
    r.validTo = CASE WHEN r.validTo > $now AND NOT forbidden THEN $now ELSE r.validTo END
  RETURN forbidden
 UNION ALL
  MATCH (p:Item&PendingLink {tenant: $tenant, uid: row.pendingId})
  WHERE all(x IN p.resources WHERE x IN $resources)
  WITH p, $bound AS bound
  WITH p,
// use: pending_of_others
  AS forbidden
  FOREACH (gone IN CASE WHEN forbidden THEN [] ELSE [p] END | DETACH DELETE gone)
  RETURN forbidden
}
RETURN row.from AS from, row.to AS to, row.type AS type, forbidden
