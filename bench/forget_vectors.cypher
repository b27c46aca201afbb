// Forgets what the vectors were made with.
// params: none
// returns: none
// write
MATCH (s:IndexState) DELETE s
