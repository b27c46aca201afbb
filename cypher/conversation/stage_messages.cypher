// Adds messages to an open turn that is locked, and gives it more time. `fresh` is false where an id is in use: then nothing of the
// transaction may be kept. `title`: text and message.
// params: tenant, turn, rows, title, speakers, openCalls, answered, now
// returns: fresh, staged
// write
MATCH (u:Item&Turn {tenant: $tenant, uid: $turn})
WITH u, u.staged AS had
CALL (u, had) {
  UNWIND range(0, size($rows) - 1) AS at
  WITH u, $rows[at] AS row, had + at AS place
  MERGE (m:Item {tenant: $tenant, uid: row.uid})
  ON CREATE SET m:StagedMessage, m += row.properties, m.thread = u.thread, m.turn = u.uid,
    m.order = place, m.updatedAt = $now, m.made = true
  CREATE (u)-[:HAS_MESSAGE]->(m)
  WITH m, coalesce(m.made, false) AS fresh
  SET m.made = null
  RETURN collect(fresh) AS fresh
}
SET u.staged = had + size($rows), u.updatedAt = $now, u.openCalls = $openCalls,
  u.answeredCalls = u.answeredCalls + $answered, u.title = coalesce(u.title, $title.text),
  u.titleMessage = coalesce(u.titleMessage, $title.message),
  u.speakers = u.speakers + [x IN $speakers WHERE NOT x IN u.speakers],
  u.expiresAt = datetime.realtime('Z') + duration({seconds: u.ttlSeconds})
RETURN all(one IN fresh WHERE one) AS fresh, u.staged AS staged
