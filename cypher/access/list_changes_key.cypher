// As list_changes, of one API key; of its calls those of one action, or all (null).
// params: tenant, keyId, action, since, at, uid, limit
// returns: change
// read
MATCH (c:Change)
USING INDEX SEEK c:Change(tenant, keyId, createdAt, uid)
WHERE c.tenant = $tenant AND c.keyId = $keyId AND c.createdAt >= $since AND c.createdAt <= $at AND c.uid IS NOT NULL
  AND CASE WHEN c.createdAt = $at THEN c.uid < $uid ELSE true END AND ($action IS NULL OR c.action = $action)
WITH c ORDER BY c.tenant DESC, c.keyId DESC, c.createdAt DESC, c.uid DESC LIMIT $limit
RETURN
// use: change
ORDER BY c.tenant DESC, c.keyId DESC, c.createdAt DESC, c.uid DESC
