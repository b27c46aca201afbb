// Locks pages' names, given as ids that nothing stands under, in order, until this transaction ends.
// params: tenant, ids
// returns: none
// write
UNWIND $ids AS id
MATCH (n:Item {tenant: $tenant, uid: id})
SET n._lock = true
SET n._lock = null
