// Narrows the pool by what only some callers ask for.
WHERE n.type IN $types AND n.source IN $sources AND n.confidence >= $minConfidence AND all(facet IN $facets WHERE n.facets CONTAINS facet)
  AND ($createdFrom IS NULL OR n.createdAt >= $createdFrom) AND ($createdTo IS NULL OR n.createdAt < $createdTo)
