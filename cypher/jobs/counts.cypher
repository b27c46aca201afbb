// How many jobs there are in each state.
// params: states
// returns: state, count
// read
UNWIND $states AS state
CALL (state) {
  MATCH (j:Job) WHERE j.state = state AND j.runAfter IS NOT NULL
  RETURN count(*) AS count
}
RETURN state, count
