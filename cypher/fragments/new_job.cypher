// Puts `job` of {uid, kind, payload} into the queue, as `j`.
CREATE (j:Item:Job {
  tenant: $tenant, uid: job.uid, kind: job.kind, state: 'ready', payload: job.payload, attempts: 0,
  runAfter: coalesce($runAfter, datetime()), createdAt: datetime(), updatedAt: datetime()
})
SET j.dueAt = j.runAfter
