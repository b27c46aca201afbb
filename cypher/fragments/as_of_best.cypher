// The best of the rows `n`, `s`, `score` that are wanted: $candidates that are shown, and beside them $formers that were superseded (`former`),
// with the least, the lowest that is shown and the highest of their scores.
  WITH n, s, score, NOT s.status IN $statuses AS former
  WHERE n IS NOT NULL AND s.type IN $types AND s.source IN $sources AND s.confidence >= $minConfidence
    AND all(facet IN $facets WHERE s.facets CONTAINS facet)
    AND ($createdFrom IS NULL OR s.createdAt >= $createdFrom) AND ($createdTo IS NULL OR s.createdAt < $createdTo)
    AND (former AND $formers > 0 AND s.status = 'superseded' OR
  // use: as_of_shown
  )
  WITH n, s, former, max(score) AS score
  WITH n, s, former, score, n.uid AS uid ORDER BY score DESC, uid
  WITH collect({n: n, s: s, former: former, score: score}) AS rows
  UNWIND [x IN rows WHERE NOT x.former][..$candidates] + [x IN rows WHERE x.former][..$formers] AS hit
  WITH collect(hit) AS hits, min(hit.score) AS least, min(CASE WHEN hit.former THEN null ELSE hit.score END) AS lowest, max(hit.score) AS highest
  WITH hits, coalesce(lowest, least) AS lowest, highest
