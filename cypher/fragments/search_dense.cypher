// From hits (nodes or chunks) and scores to a branch of the pool.
  WITH CASE WHEN hit:Knowledge THEN hit ELSE head([(k:Knowledge)-[:HAS_CHUNK]->(hit) | k]) END AS n, max(score) AS score
  WITH collect({n: n, score: score}) AS hits, min(score) AS lowest, max(score) AS highest
  UNWIND hits AS hit
  RETURN hit.n AS n, CASE WHEN highest > lowest THEN (hit.score - lowest) / (highest - lowest) ELSE 1.0 END AS dense, 0.0 AS lexical, 0.0 AS title
