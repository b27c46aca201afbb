// The names that nodes go by, and the nodes that mention these now.
// params: tenant, ids, open
// returns: id, keys, mentionedIn
// read
UNWIND $ids AS id
MATCH (n:Item&Knowledge {tenant: $tenant, uid: id})
RETURN n.uid AS id, [(n)-[:NAMED]->(m:Name) | m.key] AS keys,
  COLLECT { MATCH (s:Knowledge {tenant: $tenant})-[r:MENTIONS]->(n) WHERE r.recordedTo = $open RETURN s.uid } AS mentionedIn
