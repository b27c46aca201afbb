// The nodes that belong to no tenant.
// params: none
// returns: labels, properties
// read
MATCH (n:IndexState|Migration|MigrationLock)
RETURN labels(n) AS labels, properties(n) AS properties
