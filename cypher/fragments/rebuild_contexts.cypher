// Writes the context of messages of thread `t` anew: of those at the places `seqs`, and of the four behind each.
CALL (t, seqs) {
  UNWIND seqs AS seq
  UNWIND range(seq, seq + 4) AS place
  WITH DISTINCT t, place
  MATCH (n:Message {tenant: $tenant, thread: t.uid, seq: place})
  CALL (t, n) {
    MATCH (p:Message)
    WHERE p.tenant = $tenant AND p.thread = t.uid AND p.seq >= n.seq - 4 AND p.seq < n.seq
    WITH p ORDER BY p.seq
    RETURN collect(p.text) AS earlier
  }
  WITH n, {own: n.text, before: earlier} AS window
  SET n.context =
// use: message_context
}
