// A page of nodes as they were at $asOf, in the order of createdAt desc, from behind a place (null: the beginning).
// params: tenant, resources, statuses, types, sources, minConfidence, facets, createdFrom, createdTo, asOf, begunBy, endsAfter, lapsed, afterTime, afterId, count
// returns: node
// read
MATCH (n:Knowledge)
WHERE n.tenant = $tenant AND n.uid IS NOT NULL
  AND n.createdAt >= coalesce($createdFrom, datetime({year: -9999}))
  AND n.createdAt <= coalesce($afterTime, $createdTo, datetime({year: 9999, month: 12, day: 31}))
  AND ($afterTime IS NULL OR n.createdAt < $afterTime OR n.uid < $afterId)
WITH n ORDER BY n.tenant DESC, n.createdAt DESC, n.uid DESC
WITH n,
// use: as_of_state
// use: as_of_list_filter
LIMIT $count
RETURN
// use: as_of_node
ORDER BY n.tenant DESC, n.createdAt DESC, n.uid DESC
