// The message that is nearest to a vector.
// params: vector
// returns: uid
// read
MATCH (m)
  SEARCH m IN (VECTOR INDEX message_vector_GENERATION FOR $vector LIMIT 1)
RETURN coalesce(m.message, m.uid) AS uid
