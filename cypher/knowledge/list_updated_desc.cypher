// A page of nodes in the order of updatedAt desc, from behind a place (null: the beginning).
// params: tenant, resources, statuses, types, sources, minConfidence, facets, createdFrom, createdTo, afterTime, afterId, count
// returns: node
// read
MATCH (n:Knowledge {tenant: $tenant})
WHERE $afterTime IS NULL OR n.updatedAt < $afterTime OR (n.updatedAt = $afterTime AND n.uid < $afterId)
WITH n ORDER BY n.tenant DESC, n.updatedAt DESC, n.uid DESC
// use: list_filter
LIMIT $count
RETURN
// use: node
