// Keeps the nodes `n` of a list that pass the filter; a filter that is null passes everything.
WHERE n.resource IN $resources AND n.status IN $statuses
  AND ($types IS NULL OR n.type IN $types) AND ($sources IS NULL OR n.source IN $sources)
  AND ($minConfidence IS NULL OR n.confidence >= $minConfidence)
  AND ($facets IS NULL OR all(facet IN $facets WHERE n.facets CONTAINS facet))
  AND ($createdFrom IS NULL OR n.createdAt >= $createdFrom) AND ($createdTo IS NULL OR n.createdAt < $createdTo)
