// Gives a leased job back unworked: due at once, and the attempt is not counted.
// params: tenant, uid, lease
// returns: released
// write
// use: locked_job
FILTER j.state = 'leased' AND j.lease = $lease
SET j.state = 'ready', j.attempts = j.attempts - 1, j.lease = null, j.leaseUntil = null, j.dueAt = j.runAfter,
    j.updatedAt = datetime()
RETURN true AS released
