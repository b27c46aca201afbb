// Ids of the items that a job is about.
// params: tenant, uid
// returns: uid
// read
MATCH (:Item {tenant: $tenant, uid: $uid})-[:ON]->(n:Item {tenant: $tenant})
RETURN n.uid AS uid
