// Texts to look for names in, the names that the nodes themselves go by, and who mentions them now.
// params: tenant, ids, open, count
// returns: id, resource, parts, own, mentionedIn
// read
UNWIND $ids AS id
MATCH (n:Item&Knowledge {tenant: $tenant, uid: id})
RETURN n.uid AS id, n.resource AS resource, [n.title, n.content] AS parts, [(n)-[:NAMED]->(m:Name) | m.key] AS own,
  COLLECT { MATCH (s:Knowledge {tenant: $tenant})-[r:MENTIONS]->(n) WHERE r.recordedTo = $open RETURN s.uid LIMIT $count } AS mentionedIn
