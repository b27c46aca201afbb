// Nodes by id as they were at $asOf; an id that wasn't there, or isn't to be seen, has no row.
// params: tenant, resources, statuses, ids, asOf, begunBy, endsAfter, lapsed
// returns: node
// read
UNWIND $ids AS id
MATCH (n:Item {tenant: $tenant, uid: id})
WHERE n:Knowledge AND n.resource IN $resources
WITH n,
// use: as_of_state
WITH n, s WHERE
// use: as_of_shown
RETURN
// use: as_of_node
