// Messages of a thread before a place, the last ones first.
// params: tenant, thread, at, count
// returns: message
// read
MATCH (m:Message)
WHERE m.tenant = $tenant AND m.thread = $thread AND m.seq < $at
WITH m ORDER BY m.tenant DESC, m.thread DESC, m.seq DESC LIMIT $count
RETURN
// use: message
ORDER BY m.tenant DESC, m.thread DESC, m.seq DESC
