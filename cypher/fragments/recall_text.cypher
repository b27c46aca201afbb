// Branch of recall's candidates: full text. The filter stands inside the query, as facets; whose it is, where and when it was said, is checked again.
  UNWIND $lucene AS lucene
  CALL db.index.fulltext.queryNodes('message_text', lucene, {limit: $count}) YIELD node AS m, score
  WHERE m.tenant = $tenant AND m.resource = $resource AND m.words > 0 AND m.createdAt >= $since AND m.createdAt < $until
    AND (size($threads) = 0 OR m.thread IN $threads)
  RETURN m, null AS cosine, score AS lexical
