// Notes a failed attempt: the job waits for another one, or is failed for good. Nothing changes when the lease is lost.
// params: tenant, uid, lease, error, again, seconds
// returns: state
// write
// use: locked_job
FILTER j.lease = $lease
CALL (j) {
  FILTER j.state = 'leased'
  LET at = datetime.realtime() + duration({seconds: $seconds})
  SET j.state = CASE WHEN $again THEN 'ready' ELSE 'failed' END, j.error = $error, j.leaseUntil = null,
      j.runAfter = CASE WHEN $again THEN at ELSE j.runAfter END, j.dueAt = CASE WHEN $again THEN at END,
      j.finishedAt = CASE WHEN $again THEN null ELSE datetime() END, j.updatedAt = datetime()
}
RETURN j.state AS state
