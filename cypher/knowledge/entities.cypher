// A page of the entities that may be seen, in the order of their keys, from behind a key ('': the beginning); those that have $text in
// them, in at least $least nodes.
// params: tenant, resources, text, least, afterKey, open, scan, count
// returns: id, key, nodes, spellings
// read
MATCH (e:Entity)
WHERE e.tenant = $tenant AND e.key > $afterKey AND e.nodes >= $least AND e.key CONTAINS $text
WITH e ORDER BY e.tenant, e.key
// use: entity
WITH e, nodes, spellings WHERE nodes >= $least AND size(spellings) > 0
RETURN e.uid AS id, e.key AS key, nodes, spellings LIMIT $count
