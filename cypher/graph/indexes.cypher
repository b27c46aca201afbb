// Name, type and state of every index.
// params: none
// returns: name, type, state, percent
// read
SHOW INDEXES YIELD name, type, state, populationPercent
RETURN name, type, state, populationPercent AS percent
