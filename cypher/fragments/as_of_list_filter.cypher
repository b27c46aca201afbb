// Keeps the states `s` of a list that pass the filter, as list_filter.
WHERE n.resource IN $resources AND
// use: as_of_shown
  AND ($types IS NULL OR s.type IN $types) AND ($sources IS NULL OR s.source IN $sources)
  AND ($minConfidence IS NULL OR s.confidence >= $minConfidence)
  AND ($facets IS NULL OR all(facet IN $facets WHERE s.facets CONTAINS facet))
  AND ($createdFrom IS NULL OR s.createdAt >= $createdFrom) AND ($createdTo IS NULL OR s.createdAt < $createdTo)
