// From the branches to each candidate's own score, as search_scores: what was superseded lends its score to what stood in its place at $asOf.
WITH n, s, former, max(dense) AS dense, max(lexical) AS lexical, max(title) AS title, max(held) AS held
WITH collect({n: n, s: s, former: former, dense: dense, lexical: lexical, title: title}) AS pool,
  CASE WHEN size($stems) = 0 THEN 0.0 ELSE toFloat(max(held)) / size($stems) END AS share
WITH pool, $dense * (1 - $yields * share ^ 4) AS weight
CALL (pool) {
  UNWIND [x IN pool WHERE x.former] AS x
  WITH x, x.n AS start
  MATCH p = ANY SHORTEST (start)((:Knowledge)<-[r:SUPERSEDES WHERE
  // use: as_of_open
  ]-(:Knowledge {tenant: $tenant})){1,10}(n)
  WHERE n.resource IN $resources AND all(k IN nodes(p)[..-1] WHERE 'superseded' = CASE WHEN k.recordedFrom <= $asOf THEN k.status
    ELSE head([(k)-[:PREVIOUS]->(v:Revision) WHERE v.recordedFrom <= $asOf AND v.recordedTo > $asOf | v.status]) END)
  WITH x, start, n,
  // use: as_of_state
  WITH x, start, n, s WHERE
  // use: as_of_wanted
  RETURN collect({n: n, s: s, from: start.uid, dense: x.dense, lexical: x.lexical, title: x.title}) AS heirs
}
UNWIND [x IN pool WHERE NOT x.former] + heirs AS x
WITH x.n AS n, x.s AS s, x.from AS from, [weight * x.dense + (1 - weight) * x.lexical + x.title, x.dense, x.lexical, x.title] AS scores
WITH n, s, max(scores) AS scores, collect(from) AS replaces
