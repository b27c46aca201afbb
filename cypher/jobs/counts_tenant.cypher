// How many jobs of a tenant there are in each state.
// params: tenant, states
// returns: state, count
// read
UNWIND $states AS state
CALL (state) {
  MATCH (j:Job) WHERE j.tenant = $tenant AND j.state = state AND j.uid IS NOT NULL
  RETURN count(*) AS count
}
RETURN state, count
