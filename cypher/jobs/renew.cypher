// Extends a lease that is still held.
// params: tenant, uid, lease, seconds
// returns: held
// write
// use: locked_job
FILTER j.state = 'leased' AND j.lease = $lease
SET j.leaseUntil = datetime.realtime() + duration({seconds: $seconds}), j.updatedAt = datetime()
SET j.dueAt = j.leaseUntil
RETURN true AS held
