// Of the given entities, whether some text shows each to be a name, and who mentions those that none does.
// params: tenant, ids, open
// returns: key, shown, mentionedIn
// read
UNWIND $ids AS id
MATCH (e:Item&Entity {tenant: $tenant, uid: id})
WITH e, size(e.spellings) > 0 AS shown
RETURN e.key AS key, shown, COLLECT {
  MATCH (n:Knowledge {tenant: $tenant})-[r:MENTIONS]->(e) WHERE NOT shown AND r.recordedTo = $open RETURN n.uid
} AS mentionedIn
