// What one knowledge search needs, in one trip: candidates by vector, full text and names in the question, their best as seeds,
// what the seeds are linked to, level by level, what they mention, and what has an entity in common with them. The caller ranks. $lucene null leaves out the text list, $names [] the names.
// params: tenant, statuses, resources, about, now, vector, textIndex, lucene, formerLucene, formers, witnesses, candidates, names, nameKeys, nameNodes, titleBonus, dense, yields, topK, maxDepth, out, in, open, scan, sample, fan, level, mentions, stems, entities, bridgeSeeds, leastNodes, mostNodes, asked, looked, bridged, uncounted, counted, size, properties, edges, atOnce
// returns: pool, hits, found, mentions, shared, counts, nodes, caps, rows, edges, unknown
// read
CALL () {
  // use: search_vector
 UNION ALL
  // use: search_text
 UNION ALL
  // use: search_titles
}
// use: search_scores
// use: search_expand
