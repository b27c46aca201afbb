// Makes a graph one that has not seen a migration.
// params: number
// returns: none
// write
MATCH (m:Migration {number: $number})
DELETE m
