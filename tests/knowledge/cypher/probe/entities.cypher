// The entities of a tenant, with who has them.
// params: tenant, open
// returns: key, name, spellings, counts, nodes, edges
// read
MATCH (e:Entity {tenant: $tenant})
RETURN e.key AS key, e.name AS name, e.spellings AS spellings, e.counts AS counts, e.nodes AS nodes,
  COLLECT { MATCH (n:Knowledge)-[r:MENTIONS {recordedTo: $open}]->(e) RETURN [n.uid, r.spelling] } AS edges
ORDER BY key
