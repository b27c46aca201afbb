// Notes a document as it is now, and tells which notes that were taken from it are archived. It stays locked until the transaction
// ends, so that two calls with one document come one after the other.
// params: tenant, uid, path, title, mediaType, resource, contentHash, now
// returns: isDocument, archived
// write
MERGE (d:Item {tenant: $tenant, uid: $uid})
ON CREATE SET d:Document, d.createdAt = $now, d.path = $path, d.resource = $resource
SET d._lock = true
WITH d, d:Document AS isDocument,
  d.contentHash = $contentHash AND d.title = $title AND d.mediaType = $mediaType AS same
SET d._lock = null
CALL (d, isDocument, same) {
  WITH d, isDocument, same WHERE isDocument AND coalesce(same, false) = false
  SET d.title = $title, d.mediaType = $mediaType, d.contentHash = $contentHash, d.updatedAt = $now
}
CALL (d) {
  MATCH (d)<-[:DERIVED_FROM]-(n:Knowledge)
  WHERE n.status = 'archived'
  RETURN collect(n.uid) AS archived
}
RETURN isDocument, archived
