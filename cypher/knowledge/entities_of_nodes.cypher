// The entities in the texts of nodes, each once, with the nodes that have it.
// params: tenant, resources, ids, open, scan
// returns: id, key, nodes, spellings, in
// read
UNWIND $ids AS id
MATCH (k:Item&Knowledge {tenant: $tenant, uid: id})-[m:MENTIONS]->(e:Entity)
WHERE k.resource IN $resources AND m.recordedTo = $open AND e.tenant = $tenant
WITH e, collect(k.uid) AS in
// use: entity
WITH e, nodes, spellings, in WHERE size(spellings) > 0
RETURN e.uid AS id, e.key AS key, nodes, spellings, in ORDER BY key
