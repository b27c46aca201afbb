// Gives failed jobs all their attempts again (no id: any; no kind: all), `limit` at most.
// params: tenant, ids, kinds, limit
// returns: count
// write
MATCH (j:Job)
WHERE j.tenant = $tenant AND j.state = 'failed' AND j.uid IS NOT NULL
  AND (size($ids) = 0 OR j.uid IN $ids) AND (size($kinds) = 0 OR j.kind IN $kinds)
WITH j ORDER BY j.uid LIMIT $limit
SET j.kind = j.kind
WITH collect(j) AS locked
UNWIND locked AS j
FILTER j.state = 'failed'
SET j.state = 'ready', j.attempts = 0, j.runAfter = datetime(), j.dueAt = datetime(), j.finishedAt = null,
    j.updatedAt = datetime()
RETURN count(*) AS count
