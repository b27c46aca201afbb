// Notes documents as they are now, and tells which notes that were taken from each are archived. Each stays locked until the
// transaction ends, so that two calls with one document come one after the other. `storedHash` null: not all of it is stored yet.
// `keys`: what of its notes' keys stood behind its path.
// params: tenant, rows, now
// returns: uid, isDocument, fresh, archived, keys
// write
UNWIND $rows AS row
MERGE (d:Item {tenant: $tenant, uid: row.uid})
ON CREATE SET d:Document, d.createdAt = $now, d.path = row.path, d.resource = row.resource, d.fresh = true
SET d._lock = true
WITH d, row, d:Document AS isDocument, coalesce(d.fresh, false) AS fresh,
  d.keys AS keys, d.contentHash = row.contentHash AND d.title = row.title AND d.mediaType = row.mediaType AS same
SET d._lock = null
CALL (d, row, isDocument, same) {
  WITH d, row, same WHERE isDocument
  SET d.storedHash = row.storedHash, d.root = coalesce(row.root, d.root), d.fresh = null,
    d.page = row.page, d.keys = row.keys, d.links = row.links, d.linked = row.linked
  WITH d, row, same WHERE coalesce(same, false) = false
  SET d.title = row.title, d.mediaType = row.mediaType, d.contentHash = row.contentHash, d.updatedAt = $now
}
CALL (d) {
  MATCH (d)<-[:DERIVED_FROM {origin: 'auto'}]-(n:Knowledge)
  WHERE n.status = 'archived'
  RETURN collect(n.uid) AS archived
}
RETURN row.uid AS uid, isDocument, fresh, archived, keys
