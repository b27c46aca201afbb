// Leases the jobs `j` that are due. All are write-locked, in one order, before any is looked at again, so that
// no two claimers take the same one; a job whose lease ran out once too often is failed.
SET j.kind = j.kind
WITH collect(j) AS seen
WITH seen, [j IN seen WHERE j.dueAt <= datetime.realtime()] AS due
CALL (due) {
  UNWIND due AS j
  FILTER j.attempts >= $attempts
  SET j.state = 'failed', j.error = 'its lease ran out ' + j.attempts + ' times without an answer',
      j.dueAt = null, j.leaseUntil = null, j.openKey = null, j.finishedAt = datetime(), j.updatedAt = datetime()
}
CALL (due) {
  UNWIND due AS j
  FILTER j.attempts < $attempts
  WITH j ORDER BY j.dueAt, j.uid LIMIT $limit
  SET j.state = 'leased', j.lease = $lease, j.attempts = j.attempts + 1,
      j.leaseUntil = datetime.realtime() + duration({seconds: $seconds}), j.openKey = null, j.updatedAt = datetime()
  SET j.dueAt = j.leaseUntil
  RETURN collect(j {.*}) AS jobs
}
RETURN size(seen) AS seen, jobs
