// A page of nodes in the order of updatedAt, from behind a place (null: the beginning).
// params: tenant, resources, statuses, types, sources, minConfidence, facets, createdFrom, createdTo, afterTime, afterId, count
// returns: node
// read
MATCH (n:Knowledge)
WHERE n.tenant = $tenant AND n.uid IS NOT NULL
  AND n.updatedAt >= coalesce($afterTime, datetime({year: -9999}))
  AND ($afterTime IS NULL OR n.updatedAt > $afterTime OR n.uid > $afterId)
WITH n ORDER BY n.tenant, n.updatedAt, n.uid
// use: list_filter
LIMIT $count
RETURN
// use: node
ORDER BY n.tenant, n.updatedAt, n.uid
