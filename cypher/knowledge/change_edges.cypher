// Gives open edges, between nodes that are locked, other properties; what they were stays, closed. `element` is Neo4j's own id of an edge: it is good for as long as
// the transaction that has read it.
// params: tenant, rows, now
// returns: none
// write
UNWIND $rows AS row
MATCH (a:Item {tenant: $tenant})-[r]->(b)
WHERE elementId(r) = row.element
WITH row, a, r, b,
// use: end
  AS begins
CREATE (a)-[was:$(type(r))]->(b)
SET was = properties(r), was.recordedTo = begins
SET r += row.properties, r.recordedFrom = begins
