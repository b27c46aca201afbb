// Extends a lease that is still held.
// params: tenant, uid, lease, seconds
// returns: held
// write
MATCH (j:Item {tenant: $tenant, uid: $uid})
USING INDEX SEEK j:Item(tenant, uid)
WHERE j:Job
SET j.kind = j.kind
WITH collect(j) AS locked
UNWIND locked AS j
FILTER j.state = 'leased' AND j.lease = $lease
SET j.leaseUntil = datetime.realtime() + duration({seconds: $seconds}), j.updatedAt = datetime()
SET j.dueAt = j.leaseUntil
RETURN true AS held
