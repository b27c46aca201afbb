// The ids of the notes in use that were taken from a document, and the edges that it made as a table.
// params: tenant, uid
// returns: ids, edges
// read
MATCH (d:Item&Document {tenant: $tenant, uid: $uid})
RETURN COLLECT { MATCH (d)<-[:DERIVED_FROM {origin: 'auto'}]-(n:Knowledge) WHERE n.status IN ['draft', 'active'] RETURN n.uid } AS ids,
  d.edges AS edges
