// Gives an item another label.
// params: tenant, uid, label
// returns: none
// write
MATCH (n:Item {tenant: $tenant, uid: $uid})
SET n:$($label)
