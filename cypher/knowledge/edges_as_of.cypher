// The edges of each given node that were open at $asOf, as edges has those that are, with the nodes as they were then. Of each type and
// direction $scan are looked at, and `capped` tells that there are more. Types stand written out, as in search_level.
// params: tenant, resources, statuses, ids, out, in, asOf, begunBy, endsAfter, edgesEndAfter, lapsed, afterKey, scan, count
// returns: id, capped, found
// read
UNWIND $ids AS id
MATCH (k:Item&Knowledge {tenant: $tenant, uid: id})
WHERE k.resource IN $resources
CALL (k) {
  CALL (k) {
    MATCH (k)-[r:RELATED_TO]->(m:Knowledge) WHERE 'RELATED_TO' IN $out RETURN r, m, 'RELATED_TO >' AS way LIMIT $scan + 1
   UNION ALL
    MATCH (k)<-[r:RELATED_TO]-(m:Knowledge) WHERE 'RELATED_TO' IN $in RETURN r, m, 'RELATED_TO <' AS way LIMIT $scan + 1
   UNION ALL
    MATCH (k)-[r:DEPENDS_ON]->(m:Knowledge) WHERE 'DEPENDS_ON' IN $out RETURN r, m, 'DEPENDS_ON >' AS way LIMIT $scan + 1
   UNION ALL
    MATCH (k)<-[r:DEPENDS_ON]-(m:Knowledge) WHERE 'DEPENDS_ON' IN $in RETURN r, m, 'DEPENDS_ON <' AS way LIMIT $scan + 1
   UNION ALL
    MATCH (k)-[r:SUPERSEDES]->(m:Knowledge) WHERE 'SUPERSEDES' IN $out RETURN r, m, 'SUPERSEDES >' AS way LIMIT $scan + 1
   UNION ALL
    MATCH (k)<-[r:SUPERSEDES]-(m:Knowledge) WHERE 'SUPERSEDES' IN $in RETURN r, m, 'SUPERSEDES <' AS way LIMIT $scan + 1
   UNION ALL
    MATCH (k)-[r:CONFLICTS_WITH]->(m:Knowledge) WHERE 'CONFLICTS_WITH' IN $out RETURN r, m, 'CONFLICTS_WITH >' AS way LIMIT $scan + 1
   UNION ALL
    MATCH (k)<-[r:CONFLICTS_WITH]-(m:Knowledge) WHERE 'CONFLICTS_WITH' IN $in RETURN r, m, 'CONFLICTS_WITH <' AS way LIMIT $scan + 1
   UNION ALL
    MATCH (k)-[r:MENTIONS]->(m:Knowledge) WHERE 'MENTIONS' IN $out RETURN r, m, 'MENTIONS >' AS way LIMIT $scan + 1
   UNION ALL
    MATCH (k)<-[r:MENTIONS]-(m:Knowledge) WHERE 'MENTIONS' IN $in RETURN r, m, 'MENTIONS <' AS way LIMIT $scan + 1
  }
  WITH way, collect([r, m])[..$scan] AS looked, count(*) > $scan AS more
  RETURN collect({way: way, looked: looked}) AS ways, coalesce(max(more), false) AS capped
}
CALL (ways) {
  UNWIND ways AS one
  UNWIND one.looked AS pair
  WITH one.way AS way, pair[0] AS r, pair[1] AS n
  WHERE n.tenant = $tenant AND n.resource IN $resources AND
  // use: as_of_open
  WITH way, r, n,
  // use: as_of_state
  WITH way, r, n, s WHERE
  // use: as_of_shown
  // An edge each way between two nodes, of one type, has a place of its own: the way stands in the key.
  WITH r, n, s, right('000000' + toString(toInteger(1000000 * (1 - coalesce(r.weight, 0)))), 7) + ' ' + n.uid + ' ' + way AS key
  WHERE $afterKey IS NULL OR key > $afterKey
  WITH r, n, s, key ORDER BY key LIMIT $count
  WITH key, n, s,
  // use: edge
  WITH key, edge,
  // use: as_of_node
  RETURN collect({key: key, edge: edge, node: node}) AS found
}
RETURN id, capped, found
