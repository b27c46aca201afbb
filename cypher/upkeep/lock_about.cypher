// Locks nodes, whose ids are in order, until this transaction ends; tells which are about the resource still.
// params: tenant, resource, ids
// returns: ids
// write
UNWIND $ids AS id
MATCH (n:Item&Knowledge {tenant: $tenant, uid: id})
SET n._lock = true
SET n._lock = null
WITH n WHERE n.resource = $resource
RETURN collect(n.uid) AS ids
