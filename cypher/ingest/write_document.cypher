// Notes a document and what is taken from it.
// params: tenant, uid, path, title, mediaType, resource, contentHash, ids, now
// returns: none
// write
MERGE (d:Item {tenant: $tenant, uid: $uid})
ON CREATE SET d:Document, d.createdAt = $now, d.path = $path, d.resource = $resource
SET d.title = $title, d.mediaType = $mediaType, d.contentHash = $contentHash, d.updatedAt = $now
WITH d
UNWIND $ids AS id
MATCH (n:Item&Knowledge {tenant: $tenant, uid: id})
MERGE (n)-[:DERIVED_FROM]->(d)
