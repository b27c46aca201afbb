// As list_text_asc, of what nodes were at $asOf.
// params: tenant, resources, statuses, types, sources, minConfidence, facets, createdFrom, createdTo, asOf, begunBy, endsAfter, lapsed, textIndex, revisionIndex, lucene, by, afterTime, afterId, count
// returns: node
// read
UNWIND $lucene AS lucene
CALL (lucene) {
  CALL db.index.fulltext.queryNodes($textIndex, lucene) YIELD node AS n
  WHERE n.tenant = $tenant AND n.recordedFrom <= $asOf
  RETURN n, n AS s
 UNION ALL
  CALL db.index.fulltext.queryNodes($revisionIndex, lucene) YIELD node AS s
  WHERE s.tenant = $tenant AND s.recordedFrom <= $asOf AND s.recordedTo > $asOf
  RETURN head([(k:Knowledge)-[:PREVIOUS]->(s) | k]) AS n, s
}
WITH n, s
// use: as_of_list_filter
WITH n, s, s[$by] AS time
WHERE $afterTime IS NULL OR time > $afterTime OR time = $afterTime AND n.uid > $afterId
WITH n, s, time ORDER BY time, n.uid LIMIT $count
RETURN
// use: as_of_node
ORDER BY time, n.uid
