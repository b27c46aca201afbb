// From hits (nodes or chunks) and scores to a branch of the pool; `former`: superseded ones, which only stretch the scale upwards.
  WITH CASE WHEN hit:Knowledge THEN hit ELSE head([(k:Knowledge)-[:HAS_CHUNK]->(hit) | k]) END AS n, former, max(score) AS score
  WITH collect({n: n, score: score, former: former}) AS hits, min(score) AS least,
    min(CASE WHEN former THEN null ELSE score END) AS lowest, max(score) AS highest
  WITH hits, coalesce(lowest, least) AS lowest, highest
  UNWIND hits AS hit
  RETURN hit.n AS n, hit.former AS former,
    CASE WHEN hit.score < lowest THEN 0.0 WHEN highest > lowest THEN (hit.score - lowest) / (highest - lowest) ELSE 1.0 END AS dense,
    0.0 AS lexical, 0.0 AS title, 0 AS held
