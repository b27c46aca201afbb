// The edges between those that were copied.
// params: tenant, prefix, copies
// returns: none
// write
MATCH (a:Item)-[r]->(b:Item)
WHERE a.tenant = $tenant AND b.tenant = $tenant
UNWIND range(1, $copies) AS copy
MATCH (x:Item {tenant: $prefix + copy, uid: a.uid})
MATCH (y:Item {tenant: $prefix + copy, uid: b.uid})
CREATE (x)-[s:$(type(r))]->(y)
SET s = properties(r)
