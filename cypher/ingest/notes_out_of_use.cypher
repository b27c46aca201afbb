// Which of the notes are not in use, and of those which were archived because they no longer stood in the document.
// params: tenant, uid, ids
// returns: id, own, contentHash
// read
UNWIND $ids AS id
MATCH (n:Item&Knowledge {tenant: $tenant, uid: id})
WHERE NOT n.status IN ['draft', 'active']
RETURN n.uid AS id, n.status = 'archived' AND EXISTS { (n)-[:DERIVED_FROM {origin: 'auto'}]->(d:Document) WHERE d.uid = $uid } AS own,
  n.contentHash AS contentHash
