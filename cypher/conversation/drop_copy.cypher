// Gives up a copy that is not done: it becomes something Erased, to be emptied.
// params: tenant, uid, now
// returns: uid
// write
MATCH (t:Item&ThreadCopy {tenant: $tenant, uid: $uid})
SET t._lock = true
WITH t WHERE t:ThreadCopy
REMOVE t:ThreadCopy
SET t:Erased, t = {tenant: $tenant, uid: t.uid, createdAt: t.createdAt, updatedAt: $now}
RETURN t.uid AS uid
