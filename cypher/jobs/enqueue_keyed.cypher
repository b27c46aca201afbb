// Puts a job into the queue, or refreshes the one of the same key that waits and was never started.
// Its write lock is kept until the caller's transaction ends, so that the job cannot start before. `waits` is
// false when a worker took the job first: then the same statement, run again, makes a new one.
// params: tenant, uid, kind, key, payload, runAfter, on
// returns: uid, waits
// write
MERGE (j:Job {tenant: $tenant, kind: $kind, openKey: $key})
ON CREATE SET
  j:Item, j.uid = $uid, j.key = $key, j.state = 'ready', j.attempts = 0, j.payload = $payload,
  j.runAfter = coalesce($runAfter, datetime()), j.createdAt = datetime()
SET j.kind = j.kind
WITH collect(j) AS locked
UNWIND locked AS j
WITH j, j.state = 'ready' AND j.attempts = 0 AS waits, coalesce($runAfter, datetime()) AS runAfter
CALL (j, waits, runAfter) {
  FILTER waits
  SET j.payload = $payload, j.updatedAt = datetime(),
      j.runAfter = CASE WHEN j.runAfter < runAfter THEN j.runAfter ELSE runAfter END,
      j.dueAt = CASE WHEN j.runAfter < runAfter THEN j.runAfter ELSE runAfter END
}
CALL (j, waits) {
  FILTER waits
  MATCH (n:Item {tenant: $tenant, uid: $on})
  MERGE (j)-[:ON]->(n)
}
RETURN j.uid AS uid, waits
