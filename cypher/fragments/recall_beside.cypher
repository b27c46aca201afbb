// The end of a recall's first half: all candidates, and what stands at most two places from the `beside` best of each list, which alone
// lift it far enough. In: `m`, `cosine`, `lexical`.
WITH collect({m: m, cosine: cosine, lexical: lexical}) AS found
CALL (found) {
  CALL (found) {
    UNWIND found AS one
    WITH one ORDER BY coalesce(one.cosine, -1) DESC LIMIT $beside
    RETURN one.m AS m
   UNION
    UNWIND found AS one
    WITH one ORDER BY coalesce(one.lexical, -1) DESC LIMIT $beside
    RETURN one.m AS m
  }
  RETURN collect([m.thread, m.seq]) AS places
}
CALL (places) {
  UNWIND places AS place
  UNWIND range(place[1] - 2, place[1] + 2) AS seq
  WITH DISTINCT place[0] AS thread, seq
  MATCH (m:Message {tenant: $tenant, thread: thread, seq: seq})
  RETURN collect([
  // use: recall_row
  ,
  // use: recall_passes
  ]) AS near
}
CALL (found) {
  UNWIND found AS one
  WITH one, one.m AS m
  RETURN collect([
  // use: recall_row
  , one.cosine, one.lexical]) AS candidates
}
RETURN candidates, near
