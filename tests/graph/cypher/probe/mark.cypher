// Makes a node, or finds it.
// params: tenant, uid
// returns: uid
// write
MERGE (n:Item {tenant: $tenant, uid: $uid})
RETURN n.uid AS uid
