// Deletes jobs that were done more than `seconds` ago, `limit` at most.
// params: seconds, limit
// returns: count
// write
LET cutoff = datetime() - duration({seconds: $seconds})
MATCH (j:Job)
WHERE j.state = 'done' AND j.runAfter < cutoff AND j.finishedAt < cutoff
WITH j LIMIT $limit
DETACH DELETE j
RETURN count(*) AS count
