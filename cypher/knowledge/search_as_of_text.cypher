// What a search needs of the past ($asOf) or of another time in the world, as search_gather_text: candidates are
// current nodes that were so then, and revisions; both count for their node, by its id.
// params: tenant, statuses, resources, about, asOf, begunBy, endsAfter, edgesEndAfter, lapsed, types, sources, minConfidence, facets, createdFrom, createdTo, textIndex, revisionIndex, lucene, candidates, textReach, names, nameKeys, nameNodes, titleBonus, dense, topK, maxDepth, out, in, scan, fan, level, mentions, stems, formers, witnesses, yields, entities, bridgeSeeds, leastNodes, mostNodes, asked, looked, bridged, uncounted, counted, size
// returns: pool, hits, found, mentions, shared, counts, nodes, caps, unknown
// read
CALL () {
  // use: as_of_text
 UNION ALL
  // use: as_of_titles
}
// use: as_of_scores
// use: as_of_pool
// use: as_of_level
// use: as_of_answer
