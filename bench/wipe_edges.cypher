// Deletes all edges, some thousand at a time: a node with 100,000 of them can't be deleted with them at once.
// params: none
// returns: none
// schema
MATCH ()-[r]->()
CALL (r) {
  DELETE r
} IN TRANSACTIONS OF 10000 ROWS
