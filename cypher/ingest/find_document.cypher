// The hash of a document's text as it was last taken in.
// params: tenant, uid
// returns: contentHash
// read
MATCH (d:Item&Document {tenant: $tenant, uid: $uid})
RETURN d.contentHash AS contentHash
