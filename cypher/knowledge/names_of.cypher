// The names that nodes go by, the nodes that mention these now, and those whose texts have a name of theirs, not too common, and don't.
// params: tenant, ids, open
// returns: id, keys, mentionedIn, lacking
// read
UNWIND $ids AS id
MATCH (n:Item&Knowledge {tenant: $tenant, uid: id})
RETURN n.uid AS id, [(n)-[:NAMED]->(m:Name) | m.key] AS keys,
  COLLECT { MATCH (s:Knowledge {tenant: $tenant})-[r:MENTIONS]->(n) WHERE r.recordedTo = $open RETURN s.uid } AS mentionedIn,
  COLLECT {
    MATCH (n)-[:NAMED]->(m:Name)<-[:CONTAINS]-(s:Knowledge)
    WHERE NOT m.common AND s.tenant = $tenant AND NOT EXISTS { (s)-[r:MENTIONS]->(n) WHERE r.recordedTo = $open }
    RETURN s.uid
  } AS lacking
