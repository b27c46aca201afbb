// The change log of a tenant since a time, newest first, from behind a place in it on.
// params: tenant, since, at, uid, limit
// returns: change
// read
MATCH (c:Change)
USING INDEX SEEK c:Change(tenant, createdAt, uid)
WHERE c.tenant = $tenant AND c.createdAt >= $since AND c.createdAt <= $at AND c.uid IS NOT NULL
  AND CASE WHEN c.createdAt = $at THEN c.uid < $uid ELSE true END
WITH c ORDER BY c.tenant DESC, c.createdAt DESC, c.uid DESC LIMIT $limit
RETURN
// use: change
ORDER BY c.tenant DESC, c.createdAt DESC, c.uid DESC
