// A page of the entities that were to be seen at $asOf, as entities. How many nodes have one today says nothing of then.
// params: tenant, resources, statuses, text, least, afterKey, asOf, begunBy, endsAfter, edgesEndAfter, lapsed, scan, count
// returns: id, key, nodes, spellings
// read
MATCH (e:Entity)
WHERE e.tenant = $tenant AND e.key > $afterKey AND e.key CONTAINS $text
WITH e ORDER BY e.tenant, e.key
// use: as_of_entity
WITH e, nodes, spellings WHERE nodes >= $least AND size(spellings) > 0
RETURN e.uid AS id, e.key AS key, nodes, spellings LIMIT $count
