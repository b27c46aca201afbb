// As as_of_shown, and what a caller asks of candidates.
// use: as_of_shown
AND s.type IN $types AND s.source IN $sources AND s.confidence >= $minConfidence AND all(facet IN $facets WHERE s.facets CONTAINS facet)
AND ($createdFrom IS NULL OR s.createdAt >= $createdFrom) AND ($createdTo IS NULL OR s.createdAt < $createdTo)
