// Name, type and state of every index, and why one failed.
// params: none
// returns: name, type, state, percent, failure
// read
SHOW INDEXES YIELD name, type, state, populationPercent, failureMessage
RETURN name, type, state, populationPercent AS percent, failureMessage AS failure
