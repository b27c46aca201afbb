// To any depth: What one knowledge search needs, in one trip: candidates by vector, full text and names in the question, their best as seeds,
// what the seeds are linked to, level by level, and what they mention. The caller ranks. $lucene null leaves out the text list, $names [] the names.
// params: tenant, statuses, resources, now, vector, textIndex, lucene, candidates, names, nameNodes, titleBonus, dense, topK, maxDepth, out, in, open, scan, sample, fan, level, mentions, stems
// returns: pool, hits, found, mentions, caps
// read
CALL () {
  // use: search_vector
 UNION ALL
  // use: search_text
 UNION ALL
  // use: search_titles
}
// use: search_expand_deep
