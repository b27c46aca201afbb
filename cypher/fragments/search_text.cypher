// Branch of the pool: full text, min-max over the list. Tenant and facets are mandatory clauses inside $lucene; what hides a node is checked again.
  UNWIND $lucene AS lucene
  CALL db.index.fulltext.queryNodes($textIndex, lucene, {limit: $candidates}) YIELD node AS n, score
  WHERE n.tenant = $tenant AND n.status IN $statuses AND n.resource IN $resources AND n.validTo > $now
  WITH collect({n: n, score: score}) AS hits, min(score) AS lowest, max(score) AS highest
  UNWIND hits AS hit
  RETURN hit.n AS n, 0.0 AS dense, CASE WHEN highest > lowest THEN (hit.score - lowest) / (highest - lowest) ELSE 1.0 END AS lexical, 0.0 AS title
