// A page of nodes in use with more words than an atomic note should have, the longest first, from behind a place (null: the beginning).
// params: tenant, resources, bound, afterWords, afterId, count
// returns: words, node
// read
MATCH (n:Knowledge)
USING INDEX n:Knowledge(tenant, overLong, uid)
WHERE n.tenant = $tenant AND n.uid IS NOT NULL AND n.overLong <= coalesce($afterWords, 2147483647)
  AND ($afterWords IS NULL OR n.overLong < $afterWords OR n.uid < $afterId)
  AND n.status = 'active' AND n.resource IN $resources AND ($bound IS NULL OR n.resource = $bound)
WITH n ORDER BY n.tenant DESC, n.overLong DESC, n.uid DESC LIMIT $count
RETURN n.overLong AS words,
// use: node
ORDER BY n.tenant DESC, n.overLong DESC, n.uid DESC
