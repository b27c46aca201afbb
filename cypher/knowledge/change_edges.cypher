// Gives open edges, between nodes that are locked, other properties. `element` is Neo4j's own id of an edge: it is good for as long as
// the transaction that has read it.
// params: tenant, rows
// returns: none
// write
UNWIND $rows AS row
MATCH (a:Item {tenant: $tenant})-[r]->()
WHERE elementId(r) = row.element
SET r += row.properties
