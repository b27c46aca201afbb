// How many nodes belong to tenants.
// params: none
// returns: items
// read
MATCH (n:Item) RETURN count(n) AS items
