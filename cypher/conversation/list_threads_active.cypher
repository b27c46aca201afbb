// A page of a resource's threads in the order of lastMessageAt desc, from behind a place (null: the beginning).
// params: tenant, resource, contextTypes, topic, facets, afterTime, afterId, count
// returns: thread
// read
MATCH (t:Thread)
WHERE t.tenant = $tenant AND t.resource = $resource AND t.uid IS NOT NULL
  AND t.lastMessageAt <= coalesce($afterTime, datetime({year: 9999, month: 12, day: 31}))
  AND ($afterTime IS NULL OR t.lastMessageAt < $afterTime OR t.uid < $afterId)
WITH t ORDER BY t.tenant DESC, t.resource DESC, t.lastMessageAt DESC, t.uid DESC
// use: thread_filter
LIMIT $count
RETURN
// use: thread
ORDER BY t.tenant DESC, t.resource DESC, t.lastMessageAt DESC, t.uid DESC
