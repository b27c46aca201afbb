// Leases up to `limit` of the `width` jobs that are due longest, of any tenant: ready ones, and those whose lease ran out.
// params: kinds, width, limit, lease, seconds, attempts
// returns: seen, jobs
// write
UNWIND $kinds AS kind
CALL (kind) {
  MATCH (j:Job)
  USING INDEX j:Job(kind, dueAt)
  WHERE j.kind = kind AND j.dueAt <= datetime()
  RETURN j ORDER BY j.kind, j.dueAt LIMIT $width
}
WITH j ORDER BY j.dueAt, j.uid LIMIT $width
WITH j ORDER BY j.uid
// use: lease_jobs
