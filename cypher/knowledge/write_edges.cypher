// Opens edges, or changes open ones. Where an end is missing, a PendingLink waits for it. CONFLICTS_WITH comes from the smaller id.
// params: tenant, rows, resources, open, now
// returns: at, outcome
// write
UNWIND $rows AS row
CALL (row) {
  OPTIONAL MATCH (a:Item {tenant: $tenant, uid: row.from})
  RETURN CASE WHEN a:Knowledge AND a.resource IN $resources THEN a END AS a
}
CALL (row) {
  OPTIONAL MATCH (b:Item {tenant: $tenant, uid: row.to})
  RETURN CASE WHEN b:Knowledge AND b.resource IN $resources THEN b END AS b
}
CALL (row, a, b) {
  WITH row, a, b WHERE a IS NOT NULL AND b IS NOT NULL AND (a.resource = b.resource OR '*' IN [a.resource, b.resource])
  MERGE (a)-[r:$(row.type) {recordedTo: $open}]->(b)
  ON CREATE SET r.createdAt = $now, r.recordedFrom = $now, r.origin = 'explicit', r.fresh = true
  WITH r, row, r.fresh AS fresh,
    r.weight <> row.properties.weight OR r.confidence <> row.properties.confidence
      OR coalesce(r.reason, '') <> coalesce(row.properties.reason, '') AS differs
  SET r += row.properties, r.fresh = null
  RETURN CASE WHEN fresh THEN 'created' WHEN differs THEN 'updated' ELSE 'unchanged' END AS outcome
 UNION
  WITH row, a, b WHERE a IS NULL OR b IS NULL
  MERGE (p:Item {tenant: $tenant, uid: row.pendingId})
  ON CREATE SET p:PendingLink, p.createdAt = $now, p.from = row.from, p.to = row.to, p.type = row.type
  SET p += row.properties, p.updatedAt = $now, p.missing = CASE WHEN a IS NULL THEN row.from ELSE row.to END
  RETURN 'pending' AS outcome
 UNION
  WITH a, b WHERE a.resource <> b.resource AND a.resource <> '*' AND b.resource <> '*'
  RETURN 'refused' AS outcome
}
RETURN row.at AS at, outcome
