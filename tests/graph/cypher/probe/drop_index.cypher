// Drops an index.
// params: name
// returns: none
// schema
DROP INDEX $name IF EXISTS
