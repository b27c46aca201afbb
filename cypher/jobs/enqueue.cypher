// Puts jobs into the queue, within the caller's transaction; `on` is the item that they are about.
// params: tenant, kind, jobs, runAfter, on
// returns: none
// write
UNWIND $jobs AS job
CREATE (j:Item:Job {
  tenant: $tenant, uid: job.uid, kind: $kind, state: 'ready', payload: job.payload, attempts: 0,
  runAfter: coalesce($runAfter, datetime()), createdAt: datetime(), updatedAt: datetime()
})
SET j.dueAt = j.runAfter
WITH collect(j) AS made
MATCH (n:Item {tenant: $tenant, uid: $on})
UNWIND made AS j
CREATE (j)-[:ON]->(n)
