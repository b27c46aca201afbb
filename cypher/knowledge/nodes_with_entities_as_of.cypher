// Of each given entity, nodes that were in use at $asOf with it in their text, as nodes_with_entities; nodes as they were then.
// params: tenant, resources, statuses, ids, afterId, asOf, begunBy, endsAfter, edgesEndAfter, lapsed, count
// returns: id, found
// read
UNWIND $ids AS id
MATCH (e:Item&Entity {tenant: $tenant, uid: id})
RETURN id, COLLECT {
  MATCH (n:Knowledge)-[r:MENTIONS]->(e)
  WHERE n.tenant = $tenant AND n.resource IN $resources AND n.uid > $afterId AND
  // use: as_of_open
  WITH n,
  // use: as_of_state
  WITH n, s WHERE
  // use: as_of_shown
  WITH n, s ORDER BY n.uid LIMIT $count
  RETURN
  // use: as_of_node
} AS found
