// The nodes that mention a node now.
// params: tenant, uid, open
// returns: ids
// read
MATCH (n:Item&Knowledge {tenant: $tenant, uid: $uid})
RETURN COLLECT { MATCH (s:Knowledge {tenant: $tenant})-[r:MENTIONS]->(n) WHERE r.recordedTo = $open AND s <> n RETURN s.uid } AS ids
