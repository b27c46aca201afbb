// The texts of nodes, whatever their status.
// params: tenant, ids
// returns: id, title, content, contentHash, embeddedText
// read
UNWIND $ids AS id
MATCH (n:Item&Knowledge {tenant: $tenant, uid: id})
RETURN n.uid AS id, n.title AS title, n.content AS content, n.contentHash AS contentHash, n.embeddedText AS embeddedText
