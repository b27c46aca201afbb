// Texts to look for names in, whether they are in use, the names that the nodes themselves go by, and the names and entities in them
// by what is stored.
// params: tenant, ids, open
// returns: id, resource, inUse, parts, own, names, entities
// read
UNWIND $ids AS id
MATCH (n:Item&Knowledge {tenant: $tenant, uid: id})
RETURN n.uid AS id, n.resource AS resource, n.status IN ['draft', 'active'] AS inUse, [n.title, n.content] AS parts,
  [(n)-[:NAMED]->(m:Name) | m.key] AS own, [(n)-[:CONTAINS]->(m:Name) | m.key] AS names,
  COLLECT { MATCH (n)-[r:MENTIONS]->(e:Entity) WHERE r.recordedTo = $open RETURN [e.key, r.spelling] } AS entities
