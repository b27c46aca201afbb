// Opens edges, or changes open ones. Each row has the resources that its caller may see, and the only one that it may write about
// (null: any). Where an end is missing, a PendingLink waits for it: looking for it here has locked its id, so nobody can make it before
// this transaction ends, and whoever then does finds the link. CONFLICTS_WITH comes from the smaller id.
// params: tenant, rows, open, now
// returns: at, outcome
// write
UNWIND $rows AS row
CALL (row) {
  OPTIONAL MATCH (a:Item {tenant: $tenant, uid: row.from})
  RETURN CASE WHEN a:Knowledge AND a.resource IN row.resources THEN a END AS a
}
CALL (row) {
  OPTIONAL MATCH (b:Item {tenant: $tenant, uid: row.to})
  RETURN CASE WHEN b:Knowledge AND b.resource IN row.resources THEN b END AS b
}
WITH row, a, b, CASE
  WHEN a IS NULL THEN 'pending'
  WHEN b IS NULL THEN 'pending'
  WHEN a.resource <> b.resource AND a.resource <> '*' AND b.resource <> '*' THEN 'refused'
  WHEN a.resource <> row.bound AND b.resource <> row.bound THEN 'forbidden'
  ELSE 'open'
END AS fate
CALL (row, a, b, fate) {
  WITH row, a, b WHERE fate = 'open'
  MERGE (a)-[r:$(row.type) {recordedTo: $open}]->(b)
  ON CREATE SET r.createdAt = $now, r.recordedFrom = $now, r.origin = 'explicit', r.fresh = true
  WITH r, row, r.fresh AS fresh, CASE WHEN r.fresh OR row.stated THEN row.properties ELSE {} END AS properties
  WITH r, row, fresh, properties,
    any(key IN keys(properties) WHERE NOT coalesce(r[key] = properties[key], r[key] IS NULL AND properties[key] IS NULL)) AS differs
  SET r += properties, r.fresh = null
  WITH row, CASE WHEN fresh THEN 'created' WHEN differs THEN 'updated' ELSE 'unchanged' END AS outcome
  CALL (row) {
    MATCH (p:Item&PendingLink {tenant: $tenant, uid: row.pendingId})
    DETACH DELETE p
  }
  RETURN outcome
 UNION
  WITH row, a WHERE fate = 'pending'
  WITH row, CASE WHEN a IS NULL THEN row.from ELSE row.to END AS missing
  MERGE (p:Item {tenant: $tenant, uid: row.pendingId})
  ON CREATE SET p:PendingLink, p.createdAt = $now, p.from = row.from, p.to = row.to, p.type = row.type, p.bound = row.bound, p += row.properties
  ON MATCH SET p.bound = CASE WHEN row.bound IS NOT NULL THEN p.bound END, p += CASE WHEN row.stated THEN row.properties ELSE {} END
  SET p.updatedAt = $now, p.missing = missing, p.resources = row.resources + [x IN coalesce(p.resources, []) WHERE NOT x IN row.resources]
  RETURN 'pending' AS outcome
 UNION
  WITH fate WHERE fate IN ['refused', 'forbidden']
  RETURN fate AS outcome
}
RETURN row.at AS at, outcome
