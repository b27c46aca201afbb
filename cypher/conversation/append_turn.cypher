// Stores a turn with its messages, and the job that makes their vectors, behind a thread's last, under the thread's lock. No row: there is no such thread. `fresh` is
// false where an id is in use already: then nothing of the transaction may be kept. `title`: text and message. `memory`: the hash of
// what the turn made known.
// params: tenant, thread, resource, turn, agent, memory, rows, title, speakers, opened, answered, tenantToken, job, runAfter, now
// returns: base, openCalls, fresh
// write
MATCH (t:Item&Thread {tenant: $tenant, uid: $thread})
WHERE $resource IS NULL OR t.resource = $resource
SET t._lock = true
WITH t, t.lastSeq AS base, t.openCalls AS openCalls, $rows AS rows
WHERE t:Thread AND ($resource IS NULL OR t.resource = $resource)
MERGE (turn:Item {tenant: $tenant, uid: $turn})
ON CREATE SET turn:Turn, turn.thread = t.uid, turn.state = 'committed', turn.attempt = 1,
  turn.agent = $agent, turn.memory = $memory, turn.createdAt = $now, turn.updatedAt = $now, turn.endedAt = $now, turn.firstSeq = base + 1,
  turn.lastSeq = base + size(rows)
CREATE (t)-[:HAS_TURN]->(turn)
WITH t, turn, base, openCalls, rows
// use: append_messages
// use: after_append
WITH *, $job AS job
// use: new_job
CREATE (j)-[:ON]->(t)
RETURN base, openCalls, turn:Turn AND turn.thread = t.uid AND turn.firstSeq = base + 1
  AND all(at IN range(0, size(made) - 1) WHERE made[at].turn = turn.uid AND made[at].seq = base + 1 + at) AS fresh
