// Deletes everything that belongs to a tenant, some thousand nodes at a time.
// params: none
// returns: none
// schema
MATCH (n:Item)
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS
