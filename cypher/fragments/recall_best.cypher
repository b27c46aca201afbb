// The end of a recall's first half: the `best` candidates with the best own scores (ranking/recall.py), what stands at most two places
// from the `beside` best, which alone lift it far enough, and between what the scores of all candidates lie. In: `m`, `cosine`, `lexical`.
// Of a row the last says whether the message may be recalled by who said it. When it was said is
// given in microseconds: of some hundred instants the driver makes in 20 ms what it makes of numbers in one.
// A thread that was moved away has messages that are not brought over yet, and a copy is no thread until it is whole.
WITH m.thread AS thread, collect({m: m, cosine: cosine, lexical: lexical}) AS said
MATCH (:Item&Thread {tenant: $tenant, uid: thread, resource: $resource})
UNWIND said AS one
WITH collect(one) AS found, min(one.cosine) AS far, max(one.cosine) AS close, min(one.lexical) AS faint, max(one.lexical) AS loud
WITH *, CASE WHEN close IS NULL THEN 0.0 WHEN loud IS NULL THEN 1.0 ELSE $dense END AS dense
CALL (found, far, close, faint, loud, dense) {
  UNWIND found AS one
  WITH one, dense * CASE WHEN close > far THEN (coalesce(one.cosine, far) - far) / (close - far) WHEN one.cosine IS NULL THEN 0 ELSE 1 END
    + (1 - dense) * CASE WHEN loud > faint THEN (coalesce(one.lexical, faint) - faint) / (loud - faint) WHEN one.lexical IS NULL THEN 0 ELSE 1 END
    + CASE WHEN $named IS NOT NULL AND one.m.speaker = $named THEN $bonus ELSE 0 END AS own
  ORDER BY own DESC, one.m.thread, one.m.seq
  RETURN collect(one) AS ranked
}
CALL (ranked) {
  CALL (ranked) {
    UNWIND range(0, size(ranked) - 1) AS at
    WITH at, ranked[at] AS one
    RETURN one.m AS m, one.cosine AS cosine, one.lexical AS lexical, CASE WHEN at < $best THEN 1 ELSE 0 END AS wanted
   UNION ALL
    UNWIND ranked[..$beside] AS one
    WITH one.m.thread AS thread, one.m.seq AS at
    UNWIND range(at - 2, at + 2) AS seq
    WITH DISTINCT thread, seq
    MATCH (m:Message {tenant: $tenant, thread: thread, seq: seq})
    RETURN m, null AS cosine, null AS lexical, 1 AS wanted
  }
  WITH m, max(cosine) AS cosine, max(lexical) AS lexical, max(wanted) AS wanted
  WHERE wanted = 1
  RETURN collect([m.uid, m.thread, m.seq, m.speaker, m.isQuestion, m.words, m.hasTimeWord,
    m.createdAt.epochMillis * 1000 + m.createdAt.microsecond % 1000, cosine, lexical,
    m.role IN $roles AND ($agent IS NULL OR m.agent = $agent)]) AS rows
}
RETURN rows, [far, close] AS cosines, [faint, loud] AS lexicals
