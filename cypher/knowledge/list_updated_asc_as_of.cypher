// A page of nodes as they were at $asOf, in the order of updatedAt, from behind a place (null: the beginning).
// params: tenant, resources, statuses, types, sources, minConfidence, facets, createdFrom, createdTo, asOf, begunBy, endsAfter, lapsed, afterTime, afterId, count
// returns: node
// read
CALL () {
  MATCH (n:Knowledge)
  USING INDEX n:Knowledge(tenant, updatedAt, uid)
  WHERE n.tenant = $tenant AND n.uid IS NOT NULL AND n.updatedAt >= coalesce($afterTime, datetime({year: -9999}))
  WITH n ORDER BY n.tenant, n.updatedAt, n.uid
  WITH n, n AS s WHERE n.recordedFrom <= $asOf AND ($afterTime IS NULL OR n.updatedAt > $afterTime OR n.uid > $afterId)
  WITH n, s
  // use: as_of_list_filter
  LIMIT $count
  RETURN n, s
 UNION ALL
  MATCH (s:Revision)
  USING INDEX s:Revision(tenant, updatedAt)
  WHERE s.tenant = $tenant AND s.updatedAt >= coalesce($afterTime, datetime({year: -9999}))
  WITH s ORDER BY s.tenant, s.updatedAt
  WITH s WHERE s.recordedFrom <= $asOf AND s.recordedTo > $asOf
  WITH head([(k:Knowledge)-[:PREVIOUS]->(s) | k]) AS n, s
  WITH n, s WHERE $afterTime IS NULL OR s.updatedAt > $afterTime OR n.uid > $afterId
  WITH n, s
  // use: as_of_list_filter
  RETURN n, s ORDER BY s.tenant, s.updatedAt, n.uid LIMIT $count
}
WITH n, s ORDER BY s.updatedAt, n.uid LIMIT $count
RETURN
// use: as_of_node
ORDER BY s.updatedAt, n.uid
