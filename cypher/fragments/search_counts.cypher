// How many nodes have a stem ($uncounted: [place in $stems, full-text query]), at most $counted of each, and with $size how many are in use, at most $size:
// what the bonuses need. Asked only where there is a bonus to be weighed, and for what the caller doesn't remember.
CALL (mentions, shared) {
  UNWIND CASE WHEN size(mentions) + size(shared) > 0 THEN $uncounted ELSE [] END AS stem
  CALL (stem) {
    CALL db.index.fulltext.queryNodes('knowledge_text', stem[1], {limit: $counted}) YIELD score
    RETURN count(score) AS having
  }
  RETURN collect([stem[0], having]) AS counts
}
CALL (mentions, shared) {
  UNWIND CASE WHEN $size > 0 AND size(mentions) + size(shared) > 0 THEN [$tenant] ELSE [] END AS tenant
  CALL (tenant) {
    MATCH (n:Knowledge)
    WHERE n.tenant = tenant AND n.status = 'active'
    WITH n LIMIT $size
    RETURN count(n) AS nodes
  }
  RETURN max(nodes) AS nodes
}
