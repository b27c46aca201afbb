// The texts of nodes, whatever their status, and which one the vector of this generation was made from.
// params: tenant, ids
// returns: uid, title, content, contentHash, embeddedText
// read
UNWIND $ids AS id
MATCH (n:Item&Knowledge {tenant: $tenant, uid: id})
RETURN n.uid AS uid, n.title AS title, n.content AS content, n.contentHash AS contentHash,
  CASE WHEN n.embedding_GENERATION IS NOT NULL THEN n.embeddedText END AS embeddedText
