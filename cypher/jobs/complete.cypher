// Marks a job as done if its lease is still held. `already`: it was done before, under the same lease.
// params: tenant, uid, lease, result
// returns: held, already
// write
// use: locked_job
WITH j, j.state = 'leased' AND j.lease = $lease AS held, j.state = 'done' AND j.lease = $lease AS already
CALL (j, held) {
  FILTER held
  SET j.state = 'done', j.result = $result, j.error = null, j.leaseUntil = null, j.dueAt = null,
      j.finishedAt = datetime(), j.updatedAt = datetime()
}
RETURN held, already
