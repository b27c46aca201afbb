// Makes the nodes of a turn as `appendTurn` does, without looking whether they are there.
// params: tenant, thread, turn, rows, job, change, now
// returns: none
// write
MATCH (t:Item&Thread {tenant: $tenant, uid: $thread})
SET t.lastSeq = t.lastSeq + size($rows), t.messageCount = t.messageCount + size($rows), t.lastMessageAt = $now, t.updatedAt = $now
CREATE (t)-[:HAS_TURN]->(u:Item:Turn {tenant: $tenant, uid: $turn, thread: $thread, state: 'committed', createdAt: $now})
CREATE (:Item:Job {tenant: $tenant, uid: $job, kind: 'bench', state: 'done', payload: '{}', attempts: 0, runAfter: $now,
  createdAt: $now, updatedAt: $now})-[:ON]->(t)
CREATE (:Item:Change {tenant: $tenant, uid: $change, idempotencyKey: $change, action: 'bench', touched: [$turn], createdAt: $now,
  updatedAt: $now})
WITH t, u, t.lastSeq - size($rows) AS base
UNWIND range(0, size($rows) - 1) AS at
CREATE (u)-[:HAS_MESSAGE]->(m:Item:Message {tenant: $tenant, uid: $rows[at].uid, thread: $thread, resource: t.resource,
  turn: $turn, seq: base + 1 + at, version: 1, context: $rows[at].properties.text, recordedFrom: $now, updatedAt: $now})
SET m += $rows[at].properties
WITH m, base + at AS seq
MATCH (p:Message {tenant: $tenant, thread: $thread, seq: seq})
CREATE (p)-[:NEXT]->(m)
