// Makes a node that must not be there yet.
// params: tenant, uid
// returns: none
// write
CREATE (:Item {tenant: $tenant, uid: $uid})
