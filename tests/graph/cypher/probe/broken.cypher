// Is no Cypher.
// params: none
// returns: none
// read
RETURN RETURN
