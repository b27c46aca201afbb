// As list_changes, of one action.
// params: tenant, action, since, at, uid, limit
// returns: change
// read
MATCH (c:Change)
USING INDEX SEEK c:Change(tenant, action, createdAt, uid)
WHERE c.tenant = $tenant AND c.action = $action AND c.createdAt >= $since AND c.createdAt <= $at AND c.uid IS NOT NULL
  AND CASE WHEN c.createdAt = $at THEN c.uid < $uid ELSE true END
WITH c ORDER BY c.tenant DESC, c.action DESC, c.createdAt DESC, c.uid DESC LIMIT $limit
RETURN
// use: change
ORDER BY c.tenant DESC, c.action DESC, c.createdAt DESC, c.uid DESC
