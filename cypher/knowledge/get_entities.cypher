// Entities by id; one that isn't there, or isn't to be seen, has no row.
// params: tenant, resources, ids, open, scan
// returns: id, key, nodes, spellings
// read
UNWIND $ids AS id
MATCH (e:Item&Entity {tenant: $tenant, uid: id})
// use: entity
WITH e, nodes, spellings WHERE size(spellings) > 0
RETURN e.uid AS id, e.key AS key, nodes, spellings
