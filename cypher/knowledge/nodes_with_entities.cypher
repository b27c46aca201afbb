// Of each given entity, nodes in use with it in their text, by id from behind one ('': the beginning).
// params: tenant, resources, ids, afterId, open, count
// returns: id, found
// read
UNWIND $ids AS id
MATCH (e:Item&Entity {tenant: $tenant, uid: id})
RETURN id, COLLECT {
  MATCH (n:Knowledge)-[r:MENTIONS]->(e)
  WHERE r.recordedTo = $open AND n.tenant = $tenant AND n.resource IN $resources AND n.status IN ['draft', 'active'] AND n.uid > $afterId
  WITH n ORDER BY n.uid LIMIT $count
  RETURN
  // use: node
} AS found
