// Leases up to `limit` of the `width` jobs of one tenant that are due longest: ready ones, and those whose lease ran out.
// params: tenant, kinds, width, limit, lease, seconds, attempts
// returns: seen, jobs
// write
UNWIND $kinds AS kind
CALL (kind) {
  MATCH (j:Job)
  USING INDEX j:Job(tenant, kind, dueAt)
  WHERE j.tenant = $tenant AND j.kind = kind AND j.dueAt <= datetime()
  RETURN j ORDER BY j.tenant, j.kind, j.dueAt LIMIT $width
}
WITH j ORDER BY j.dueAt, j.uid LIMIT $width
WITH j ORDER BY j.uid
// use: lease_jobs
