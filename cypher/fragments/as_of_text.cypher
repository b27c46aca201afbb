// Branch of the pool: full text, at $asOf. Neither index knows times, so $textReach of each are looked at.
  UNWIND $lucene AS lucene
  CALL (lucene) {
    CALL db.index.fulltext.queryNodes($textIndex, lucene, {limit: $textReach}) YIELD node AS n, score
    WHERE n.tenant = $tenant AND n.resource IN $resources AND n.recordedFrom <= $asOf
    RETURN n, n AS s, score
   UNION ALL
    CALL db.index.fulltext.queryNodes($revisionIndex, lucene, {limit: $textReach}) YIELD node AS s, score
    WHERE s.tenant = $tenant AND s.resource IN $resources AND s.recordedFrom <= $asOf AND s.recordedTo > $asOf
    RETURN head([(k:Knowledge)-[:PREVIOUS]->(s) | k]) AS n, s, score
  }
  // use: as_of_best
  UNWIND range(0, size(hits) - 1) AS at
  WITH hits[at] AS hit, at, lowest, highest
  RETURN hit.n AS n, hit.s AS s, hit.former AS former, 0.0 AS dense,
  // use: as_of_share
  AS lexical, 0.0 AS title, CASE WHEN at >= $witnesses OR hit.former THEN 0 ELSE size([stem IN $stems WHERE stem IN hit.s.stems]) END AS held
