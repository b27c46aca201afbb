// A label that no verb would give.
// params: tenant, uid, label
// returns: none
// write
MATCH (n:Item {tenant: $tenant, uid: $uid})
SET n:$($label)
