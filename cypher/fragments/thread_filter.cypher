// Keeps the threads `t` of a list that pass the filter; a filter that is null passes everything.
WHERE ($contextTypes IS NULL OR t.contextType IN $contextTypes) AND ($topic IS NULL OR t.topic = $topic)
  AND ($facets IS NULL OR all(facet IN $facets WHERE t.facets CONTAINS facet))
