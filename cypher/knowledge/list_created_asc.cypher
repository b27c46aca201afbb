// A page of nodes in the order of createdAt, from behind a place (null: the beginning).
// params: tenant, resources, statuses, types, sources, minConfidence, facets, createdFrom, createdTo, afterTime, afterId, count
// returns: node
// read
MATCH (n:Knowledge {tenant: $tenant})
WHERE $afterTime IS NULL OR n.createdAt > $afterTime OR (n.createdAt = $afterTime AND n.uid > $afterId)
WITH n ORDER BY n.tenant, n.createdAt, n.uid
// use: list_filter
LIMIT $count
RETURN
// use: node
