// Branch of recall's candidates: full text. The filter stands inside the query, as facets, and is checked again.
  UNWIND $lucene AS lucene
  CALL db.index.fulltext.queryNodes('message_text', lucene, {limit: $count}) YIELD node AS m, score
  WHERE
  // use: recall_passes
  RETURN m, null AS cosine, score AS lexical
