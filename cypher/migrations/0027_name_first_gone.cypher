// Names are not looked up by their first word any more: too many begin with the same one.
// params: none
// returns: none
// schema
DROP INDEX name_first IF EXISTS
