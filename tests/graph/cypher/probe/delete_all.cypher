// Deletes every node and edge.
// params: none
// returns: none
// write
MATCH (n)
DETACH DELETE n
