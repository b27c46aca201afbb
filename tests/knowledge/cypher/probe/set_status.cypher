// Gives a node a status for which there is no verb yet.
// params: tenant, uid, status
// returns: none
// write
MATCH (n:Item {tenant: $tenant, uid: $uid})
SET n.status = $status
