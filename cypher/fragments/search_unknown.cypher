// Of the resources that the caller named ($about: [resource, full-text query for its notes]) those of which nothing is stored. Looked for
// only where no seed is about them.
CALL (seeds) {
  UNWIND [one IN $about WHERE none(n IN seeds WHERE n.resource = one[0])] AS one
  OPTIONAL MATCH (known:Item&Resource {tenant: $tenant, uid: one[0]})
  WITH one WHERE known IS NULL
  CALL (one) {
    CALL db.index.fulltext.queryNodes('knowledge_text', one[1], {limit: 1}) YIELD score
    RETURN count(score) AS notes
  }
  WITH one WHERE notes = 0
  RETURN collect(one[0]) AS unknown
}
