// The end of a recall's first half: all candidates, and what stands at most two places from the `beside` best of each list, which alone
// lift it far enough. In: `m`, `cosine`, `lexical`. Of a row the last says whether a message that is no candidate may be recalled, as far
// as the rest of the row doesn't tell. When it was said is given in microseconds: of some hundred instants the driver makes in 20 ms what
// it makes of numbers in one.
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
CALL (found, places) {
  CALL (found, places) {
    UNWIND found AS one
    RETURN one.m AS m, one.cosine AS cosine, one.lexical AS lexical
   UNION ALL
    UNWIND places AS place
    UNWIND range(place[1] - 2, place[1] + 2) AS seq
    WITH DISTINCT place[0] AS thread, seq
    MATCH (m:Message {tenant: $tenant, thread: thread, seq: seq})
    RETURN m, null AS cosine, null AS lexical
  }
  WITH m, max(cosine) AS cosine, max(lexical) AS lexical
  RETURN collect([m.uid, m.thread, m.seq, m.speaker, m.isQuestion, m.words, m.hasTimeWord,
    m.createdAt.epochMillis * 1000 + m.createdAt.microsecond % 1000, cosine, lexical,
    m.role IN $roles AND ($agent IS NULL OR m.agent = $agent)]) AS rows
}
RETURN rows
