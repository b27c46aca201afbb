// Notes in use that were taken from documents and no longer stand in them: all but `ids`.
// params: tenant, uids, ids
// returns: document, node
// read
UNWIND $uids AS uid
MATCH (d:Item&Document {tenant: $tenant, uid: uid})<-[:DERIVED_FROM {origin: 'auto'}]-(n:Knowledge)
WHERE n.status IN ['draft', 'active'] AND NOT n.uid IN $ids
RETURN uid AS document, n {.uid, .title, .content, .type, .aliases, .source, .confidence, .status, .resource, .tags, .metadata,
  .createdAt, .validFrom, .validTo, .version, .contentHash} AS node
ORDER BY n.uid
