// Drops a constraint.
// params: name
// returns: none
// schema
DROP CONSTRAINT $name IF EXISTS
