// The end of a recall's first half: the messages at most two places from a candidate, with what ranks them. In: `m`, `cosine`, `lexical`.
WITH collect([m.uid, cosine, lexical]) AS candidates, collect([m.thread, m.seq]) AS places
CALL (places) {
  UNWIND places AS place
  UNWIND range(place[1] - 2, place[1] + 2) AS seq
  WITH DISTINCT place[0] AS thread, seq
  MATCH (m:Message {tenant: $tenant, thread: thread, seq: seq})
  RETURN collect([m.uid, m.thread, m.seq, m.speaker, m.isQuestion, m.words, m.hasTimeWord, m.createdAt,
  // use: recall_passes
  ]) AS rows
}
RETURN candidates, rows
