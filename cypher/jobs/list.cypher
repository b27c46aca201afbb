// A tenant's jobs of some states and kinds (no kind: all), newest first, older than the one of id `after`.
// params: tenant, states, kinds, after, limit
// returns: job
// read
UNWIND $states AS state
CALL (state) {
  MATCH (j:Job)
  WHERE j.tenant = $tenant AND j.state = state AND j.uid < $after AND (size($kinds) = 0 OR j.kind IN $kinds)
  RETURN j ORDER BY j.tenant DESC, j.state DESC, j.uid DESC LIMIT $limit
}
WITH j ORDER BY j.uid DESC LIMIT $limit
RETURN j {.*} AS job
