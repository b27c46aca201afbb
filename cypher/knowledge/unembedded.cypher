// Of `count` nodes of any tenant, behind a place, those that lack a vector of this generation, for what they say or once said, by tenant.
// `settled`: how many of them were not written since $since. `last`: the place to go on from; null: these are the last.
// params: since, tenant, afterTime, afterId, count
// returns: lacking, last
// read
CALL () {
  MATCH (n:Knowledge)
  WHERE n.tenant = $tenant AND n.createdAt = $afterTime AND n.uid > $afterId
  WITH n ORDER BY n.tenant, n.createdAt, n.uid LIMIT $count
  RETURN n
 UNION ALL
  MATCH (n:Knowledge)
  WHERE n.tenant = $tenant AND n.createdAt > $afterTime AND n.uid IS NOT NULL
  WITH n ORDER BY n.tenant, n.createdAt, n.uid LIMIT $count
  RETURN n
 UNION ALL
  MATCH (n:Knowledge)
  WHERE n.tenant > $tenant AND n.createdAt IS NOT NULL AND n.uid IS NOT NULL
  WITH n ORDER BY n.tenant, n.createdAt, n.uid LIMIT $count
  RETURN n
}
WITH n ORDER BY n.tenant, n.createdAt, n.uid LIMIT $count
WITH collect(n) AS looked
CALL (looked) {
  UNWIND looked AS n
  WITH n
  WHERE n.embedding_GENERATION IS NULL AND (n.embeddedText IS NOT NULL OR n.status IN ['draft', 'active'])
    OR EXISTS { (n)-[:PREVIOUS]->(v:Revision) WHERE v.embedding_GENERATION IS NULL AND v.embeddedText IS NOT NULL }
  WITH n.tenant AS tenant, collect(n.uid) AS ids, sum(CASE WHEN n.updatedAt < $since THEN 1 ELSE 0 END) AS settled
  RETURN collect({tenant: tenant, ids: ids, settled: settled}) AS lacking
}
WITH lacking, size(looked) AS size, last(looked) AS n
RETURN lacking, CASE WHEN size = $count THEN n {.tenant, afterTime: n.createdAt, afterId: n.uid} END AS last
