// What is known of documents: `storedHash` stands for all that was stored from one, null where that is not whole.
// params: tenant, ids
// returns: uid, contentHash, storedHash, root
// read
UNWIND $ids AS id
MATCH (d:Item&Document {tenant: $tenant, uid: id})
RETURN d.uid AS uid, d.contentHash AS contentHash, d.storedHash AS storedHash, d.root AS root
