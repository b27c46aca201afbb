// Notes in use that were taken from a document and no longer stand in it.
// params: tenant, uid, ids
// returns: node
// read
MATCH (d:Item&Document {tenant: $tenant, uid: $uid})<-[:DERIVED_FROM]-(n:Knowledge)
WHERE n.status IN ['draft', 'active'] AND NOT n.uid IN $ids
RETURN n {.uid, .title, .content, .type, .aliases, .source, .confidence, .status, .resource, .tags, .metadata,
  .createdAt, .validFrom, .validTo, .version, .contentHash} AS node
ORDER BY n.uid
