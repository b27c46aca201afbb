// Makes a node, or finds it.
// params: tenant, uid
// returns: uid
// write
MERGE (n:Item {tenant: $tenant, uid: $uid})
SET n.marked = true
RETURN n.uid AS uid
