// A page of the nodes that a full-text query finds, in the order of their $by desc, from behind a place (null: the beginning).
// The index gives no order but its own, so all that it finds is looked at.
// params: tenant, resources, statuses, types, sources, minConfidence, facets, createdFrom, createdTo, textIndex, lucene, by, afterTime, afterId, count
// returns: node
// read
UNWIND $lucene AS lucene
CALL db.index.fulltext.queryNodes($textIndex, lucene) YIELD node AS n
WITH n WHERE n.tenant = $tenant
WITH n
// use: list_filter
WITH n, n[$by] AS time
WHERE $afterTime IS NULL OR time < $afterTime OR time = $afterTime AND n.uid < $afterId
WITH n, time ORDER BY time DESC, n.uid DESC LIMIT $count
RETURN
// use: node
ORDER BY time DESC, n.uid DESC
