// The index of what calls touched is made anew: its way of keeping up can't be changed.
// params: none
// returns: none
// schema
DROP INDEX change_touched IF EXISTS
