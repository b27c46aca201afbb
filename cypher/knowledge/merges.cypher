// The merges that a node was kept in, newest first.
// params: tenant, uid
// returns: merge, undone, lost
// read
MATCH (n:Item&Knowledge {tenant: $tenant, uid: $uid})<-[:MERGED {kept: true}]-(m:Merge)
WHERE m.tenant = $tenant
RETURN m.uid AS merge, m.undoneAt IS NOT NULL AS undone, coalesce(m.lost, []) AS lost
ORDER BY m.createdAt DESC, m.uid DESC
