// Entities by id as they were at $asOf; one that wasn't there, or isn't to be seen, has no row.
// params: tenant, resources, statuses, ids, asOf, begunBy, endsAfter, edgesEndAfter, lapsed, scan
// returns: id, key, nodes, spellings
// read
UNWIND $ids AS id
MATCH (e:Item&Entity {tenant: $tenant, uid: id})
// use: as_of_entity
WITH e, nodes, spellings WHERE size(spellings) > 0
RETURN e.uid AS id, e.key AS key, nodes, spellings
