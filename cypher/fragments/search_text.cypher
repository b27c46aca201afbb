// Branch of the pool: full text, min-max over the list. Tenant and facets are mandatory clauses inside the query; what hides a node is checked again.
// `held` of the first $witnesses is how many of the question's stems they have. $formerLucene is the same question of superseded nodes, in a list
// of its own, so that they take no candidate's place.
  CALL () {
    UNWIND $lucene AS lucene
    CALL db.index.fulltext.queryNodes($textIndex, lucene, {limit: $candidates}) YIELD node AS n, score
    WHERE n.tenant = $tenant AND n.status IN $statuses AND n.resource IN $resources AND n.validTo > $now
    RETURN n, score, false AS former
   UNION ALL
    UNWIND [lucene IN $formerLucene WHERE EXISTS { MATCH (:Knowledge {tenant: $tenant, status: 'superseded'}) }] AS lucene
    CALL db.index.fulltext.queryNodes($textIndex, lucene, {limit: $formers}) YIELD node AS n, score
    WHERE n.tenant = $tenant AND n.status = 'superseded' AND n.resource IN $resources
    RETURN n, score, true AS former
  }
  WITH collect({n: n, score: score, former: former}) AS hits, min(score) AS least,
    min(CASE WHEN former THEN null ELSE score END) AS lowest, max(score) AS highest
  WITH hits, coalesce(lowest, least) AS lowest, highest
  UNWIND range(0, size(hits) - 1) AS at
  WITH hits[at] AS hit, at, lowest, highest
  WITH hit, lowest, highest, CASE WHEN at >= $witnesses OR hit.former THEN [] ELSE hit.n.stems END AS stems
  RETURN hit.n AS n, hit.former AS former, 0.0 AS dense,
    CASE WHEN hit.score < lowest THEN 0.0 WHEN highest > lowest THEN (hit.score - lowest) / (highest - lowest) ELSE 1.0 END AS lexical, 0.0 AS title,
    size([stem IN $stems WHERE stem IN stems]) AS held
