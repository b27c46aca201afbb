// Branch of recall's candidates: nearest neighbours by vector, a piece counted for its message (the best one). The index's filter has
// no OR and no IS NULL, so that there is a search for each combination of what narrows; one of them runs.
  CALL () {
    UNWIND CASE $narrow WHEN 'resource' THEN [1] ELSE [] END AS only
    MATCH (hit:Message|MessageChunk)
    SEARCH hit IN (
      VECTOR INDEX message_vector_GENERATION FOR $vector
      WHERE hit.tenant = $tenant AND hit.resource = $resource AND hit.role IN $roles
      LIMIT $count
    ) SCORE AS score
    RETURN hit, score
   UNION ALL
    UNWIND CASE $narrow WHEN 'time' THEN [1] ELSE [] END AS only
    MATCH (hit:Message|MessageChunk)
    SEARCH hit IN (
      VECTOR INDEX message_vector_GENERATION FOR $vector
      WHERE hit.tenant = $tenant AND hit.resource = $resource AND hit.role IN $roles
        AND hit.createdAt >= $since AND hit.createdAt < $until
      LIMIT $count
    ) SCORE AS score
    RETURN hit, score
   UNION ALL
    UNWIND CASE $narrow WHEN 'threads' THEN [1] ELSE [] END AS only
    MATCH (hit:Message|MessageChunk)
    SEARCH hit IN (
      VECTOR INDEX message_vector_GENERATION FOR $vector
      WHERE hit.tenant = $tenant AND hit.resource = $resource AND hit.role IN $roles AND hit.thread IN $threads
        AND hit.createdAt >= $since AND hit.createdAt < $until
      LIMIT $count
    ) SCORE AS score
    RETURN hit, score
   UNION ALL
    UNWIND CASE $narrow WHEN 'agent' THEN [1] ELSE [] END AS only
    MATCH (hit:Message|MessageChunk)
    SEARCH hit IN (
      VECTOR INDEX message_vector_GENERATION FOR $vector
      WHERE hit.tenant = $tenant AND hit.resource = $resource AND hit.role IN $roles AND hit.agent = $agent
        AND hit.createdAt >= $since AND hit.createdAt < $until
      LIMIT $count
    ) SCORE AS score
    RETURN hit, score
   UNION ALL
    UNWIND CASE $narrow WHEN 'threads and agent' THEN [1] ELSE [] END AS only
    MATCH (hit:Message|MessageChunk)
    SEARCH hit IN (
      VECTOR INDEX message_vector_GENERATION FOR $vector
      WHERE hit.tenant = $tenant AND hit.resource = $resource AND hit.role IN $roles AND hit.agent = $agent
        AND hit.thread IN $threads AND hit.createdAt >= $since AND hit.createdAt < $until
      LIMIT $count
    ) SCORE AS score
    RETURN hit, score
  }
  WITH CASE WHEN hit:Message THEN hit ELSE head([(o:Message)-[:HAS_CHUNK]->(hit) | o]) END AS m, score
  WHERE m.words > 0
  RETURN m, max(score) AS cosine, null AS lexical
