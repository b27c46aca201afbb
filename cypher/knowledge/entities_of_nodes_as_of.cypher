// The entities in the texts of nodes at $asOf, as entities_of_nodes.
// params: tenant, resources, statuses, ids, asOf, begunBy, endsAfter, edgesEndAfter, lapsed, scan
// returns: id, key, nodes, spellings, in
// read
UNWIND $ids AS id
MATCH (k:Item&Knowledge {tenant: $tenant, uid: id})-[r:MENTIONS]->(e:Entity)
WHERE k.resource IN $resources AND e.tenant = $tenant AND
// use: as_of_open
WITH e, collect(k.uid) AS in
// use: as_of_entity
WITH e, nodes, spellings, in WHERE size(spellings) > 0
RETURN e.uid AS id, e.key AS key, nodes, spellings, in ORDER BY key
