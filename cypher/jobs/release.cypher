// Gives a leased job back unworked: due at once, and the attempt is not counted.
// params: tenant, uid, lease
// returns: released
// write
MATCH (j:Item {tenant: $tenant, uid: $uid})
USING INDEX SEEK j:Item(tenant, uid)
WHERE j:Job
SET j.kind = j.kind
WITH collect(j) AS locked
UNWIND locked AS j
FILTER j.state = 'leased' AND j.lease = $lease
SET j.state = 'ready', j.attempts = j.attempts - 1, j.lease = null, j.leaseUntil = null, j.dueAt = j.runAfter,
    j.updatedAt = datetime()
RETURN true AS released
