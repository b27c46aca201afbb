// Every constraint.
// params: none
// returns: name, type
// read
SHOW CONSTRAINTS YIELD name, type
RETURN name, type
