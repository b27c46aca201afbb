// Messages of a thread that pass the filter before a place, the last ones first.
// params: tenant, thread, at, roles, since, until, count
// returns: message
// read
MATCH (m:Message)
WHERE m.tenant = $tenant AND m.thread = $thread AND m.seq < $at
WITH m ORDER BY m.tenant DESC, m.thread DESC, m.seq DESC
// use: message_filter
LIMIT $count
RETURN
// use: message
ORDER BY m.tenant DESC, m.thread DESC, m.seq DESC
