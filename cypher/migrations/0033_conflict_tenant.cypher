// Contradictions carry their tenant, so that they can be listed; those from before get it here.
// params: none
// returns: none
// write
MATCH (a:Knowledge)-[r:CONFLICTS_WITH]->(:Knowledge)
WHERE r.tenant IS NULL
CALL (a, r) {
  SET r.tenant = a.tenant
} IN TRANSACTIONS OF 10000 ROWS
