// As list_changes, of what touched one id, told by a full-text query for it and the tenant; of these those of one key and action, or all (null).
// The index is written after a call's commit: what is still on its way into it is waited for.
// params: tenant, lucene, touched, keyId, action, since, at, uid, limit
// returns: change
// read
CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()
CALL db.index.fulltext.queryNodes('change_ids', $lucene) YIELD node AS c
WHERE c.tenant = $tenant AND $touched IN c.touched AND c.createdAt >= $since AND c.createdAt <= $at
  AND CASE WHEN c.createdAt = $at THEN c.uid < $uid ELSE true END
  AND ($keyId IS NULL OR c.keyId = $keyId) AND ($action IS NULL OR c.action = $action)
WITH c ORDER BY c.createdAt DESC, c.uid DESC LIMIT $limit
RETURN
// use: change
ORDER BY c.createdAt DESC, c.uid DESC
