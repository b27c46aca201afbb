// Takes the copies away.
// params: prefix
// returns: none
// write
MATCH (n:Item)
WHERE n.tenant STARTS WITH $prefix
DETACH DELETE n
