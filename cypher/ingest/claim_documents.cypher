// Notes from which folder documents were last taken, where nothing else of them has changed.
// params: tenant, uids, root
// returns: none
// write
UNWIND $uids AS uid
MATCH (d:Item&Document {tenant: $tenant, uid: uid})
SET d.root = $root
