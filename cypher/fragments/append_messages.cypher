// Puts messages behind a thread's last. In: `t` locked, `base` its last seq, `turn`, `rows` of {uid, properties}. Out: `made`.
CALL (t, base) {
  MATCH (p:Message)
  WHERE p.tenant = $tenant AND p.thread = t.uid AND p.seq > base - 4 AND p.seq <= base
  WITH p ORDER BY p.seq
  RETURN collect(p) AS before
}
CALL (t, turn, base, before, rows) {
  WITH t, turn, base, rows, size(before) AS had, [p IN before | p.text] + [row IN rows | row.properties.text] AS texts
  UNWIND range(0, size(rows) - 1) AS at
  WITH t, turn, rows[at] AS row, base + 1 + at AS seq,
    {own: texts[had + at], before: texts[CASE WHEN had + at < 4 THEN 0 ELSE had + at - 4 END..had + at]} AS window
  MERGE (m:Item {tenant: $tenant, uid: row.uid})
  ON CREATE SET m:Message, m += row.properties, m.thread = t.uid, m.resource = t.resource, m.turn = turn.uid, m.seq = seq,
    m.facets = t.messageFacets + ' ' + row.properties.facets, m.tenantToken = $tenantToken, m.version = 1,
    m.recordedFrom = $now, m.updatedAt = $now, m.context =
// use: message_context
  CREATE (turn)-[:HAS_MESSAGE]->(m)
  RETURN collect(m) AS made
}
CALL (before, made) {
  UNWIND range(0, size(made) - 1) AS at
  WITH CASE at WHEN 0 THEN last(before) ELSE made[at - 1] END AS a, made[at] AS b
  WHERE a IS NOT NULL
  CREATE (a)-[:NEXT]->(b)
}
