// A page of all threads of a tenant in the order of createdAt desc, from behind a place (null: the beginning).
// params: tenant, contextTypes, topic, facets, afterTime, afterId, count
// returns: thread
// read
MATCH (t:Thread)
WHERE t.tenant = $tenant AND t.uid IS NOT NULL
  AND t.createdAt <= coalesce($afterTime, datetime({year: 9999, month: 12, day: 31}))
  AND ($afterTime IS NULL OR t.createdAt < $afterTime OR t.uid < $afterId)
WITH t ORDER BY t.tenant DESC, t.createdAt DESC, t.uid DESC
// use: thread_filter
LIMIT $count
RETURN
// use: thread
ORDER BY t.tenant DESC, t.createdAt DESC, t.uid DESC
