// From the branches to each candidate's own score. The vector list yields $yields of its weight to a text that has all of the question's stems, and less
// the fewer it has (ranking/residual.py, dense_weight). A superseded candidate lends its score to the active end of its SUPERSEDES chain.
WITH n, former, max(dense) AS dense, max(lexical) AS lexical, max(title) AS title, max(held) AS held
WITH collect({n: n, former: former, dense: dense, lexical: lexical, title: title}) AS pool,
  CASE WHEN size($stems) = 0 THEN 0.0 ELSE toFloat(max(held)) / size($stems) END AS share
WITH pool, $dense * (1 - $yields * share ^ 4) AS weight
CALL (pool) {
  UNWIND [x IN pool WHERE x.former] AS x
  WITH x, x.n AS start
  MATCH ANY SHORTEST (start)((:Knowledge {status: 'superseded'})<-[r:SUPERSEDES WHERE r.recordedTo = $open]-(m:Knowledge WHERE m.tenant = $tenant AND m.resource IN $resources)){1,10}(n)
  WHERE n.status IN $statuses AND n.resource IN $resources AND n.validTo > $now
  RETURN collect({n: n, from: start.uid, dense: x.dense, lexical: x.lexical, title: x.title}) AS heirs
}
UNWIND [x IN pool WHERE NOT x.former] + heirs AS x
WITH x.n AS n, x.from AS from, [weight * x.dense + (1 - weight) * x.lexical + x.title, x.dense, x.lexical, x.title] AS scores
WITH n, max(scores) AS scores, collect(from) AS replaces
