// Makes the jobs of a kind due now.
// params: kind
// returns: none
// write
MATCH (j:Job {kind: $kind, state: 'ready'})
SET j.runAfter = datetime(), j.dueAt = datetime()
