// A hit's score by min-max over its list.
CASE WHEN hit.score < lowest THEN 0.0 WHEN highest > lowest THEN (hit.score - lowest) / (highest - lowest) ELSE 1.0 END
