CYPHER 25
// Threads whose messages are not 1, 2, 3 … up to the last, each behind the one before, or that count them wrongly.
// params: none
// returns: tenant, id, problem, detail
// read
MATCH (t:Thread)
CALL (t) {
  OPTIONAL MATCH (t)-[:HAS_TURN]->(:Turn)-[:HAS_MESSAGE]->(m:Message)
  WITH m ORDER BY m.seq
  RETURN collect(m.seq) AS seqs, count(CASE WHEN m.deletedAt IS NULL THEN m END) AS messages,
    count(CASE WHEN EXISTS { (:Message {seq: m.seq - 1})-[:NEXT]->(m) } THEN m END) AS joined
}
WITH t, CASE
  WHEN seqs <> range(1, size(seqs)) THEN 'places ' + toString([at IN range(0, size(seqs) - 1) WHERE seqs[at] <> at + 1 | seqs[at]][0])
    + ' and on do not follow the ones before'
  WHEN t.lastSeq <> size(seqs) THEN 'it says that its last place is ' + t.lastSeq + '; it is ' + size(seqs)
  WHEN joined <> size(seqs) - 1 AND size(seqs) > 0 THEN 'its messages are not one chain'
  WHEN t.messageCount <> messages THEN 'it says ' + t.messageCount + ' messages; there are ' + messages
END AS detail
WHERE detail IS NOT NULL
RETURN t.tenant AS tenant, t.uid AS id, 'sequence gap' AS problem, detail
ORDER BY tenant, id
