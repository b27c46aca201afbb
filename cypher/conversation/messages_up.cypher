// Messages of a thread that pass the filter behind a place, in order.
// params: tenant, thread, at, roles, since, until, count
// returns: message
// read
MATCH (m:Message)
WHERE m.tenant = $tenant AND m.thread = $thread AND m.seq > $at
WITH m ORDER BY m.tenant, m.thread, m.seq
// use: message_filter
LIMIT $count
RETURN
// use: message
ORDER BY m.tenant, m.thread, m.seq
