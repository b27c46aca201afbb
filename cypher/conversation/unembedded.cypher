// Of `count` messages of any tenant, behind a place, those that have words and no vector of this generation, by tenant. `settled`: how
// many of them were not written since $since. `last`: the place to go on from; null: these are the last.
// params: since, tenant, thread, seq, count
// returns: lacking, last
// read
CALL () {
  MATCH (m:Message)
  WHERE m.tenant = $tenant AND m.thread = $thread AND m.seq > $seq
  WITH m ORDER BY m.tenant, m.thread, m.seq LIMIT $count
  RETURN m
 UNION ALL
  MATCH (m:Message)
  WHERE m.tenant = $tenant AND m.thread > $thread AND m.seq IS NOT NULL
  WITH m ORDER BY m.tenant, m.thread, m.seq LIMIT $count
  RETURN m
 UNION ALL
  MATCH (m:Message)
  WHERE m.tenant > $tenant AND m.thread IS NOT NULL AND m.seq IS NOT NULL
  WITH m ORDER BY m.tenant, m.thread, m.seq LIMIT $count
  RETURN m
}
WITH m ORDER BY m.tenant, m.thread, m.seq LIMIT $count
WITH collect(m) AS looked
CALL (looked) {
  UNWIND looked AS m
  WITH m WHERE m.embedding_GENERATION IS NULL AND m.text IS NOT NULL
  WITH m.tenant AS tenant, collect(m.uid) AS ids, sum(CASE WHEN m.updatedAt < $since THEN 1 ELSE 0 END) AS settled
  RETURN collect({tenant: tenant, ids: ids, settled: settled}) AS lacking
}
WITH lacking, size(looked) AS size, last(looked) AS m
RETURN lacking, CASE WHEN size = $count THEN m {.tenant, .thread, .seq} END AS last
