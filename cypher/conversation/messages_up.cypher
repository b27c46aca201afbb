// Messages of a thread behind a place, in order.
// params: tenant, thread, at, count
// returns: message
// read
MATCH (m:Message)
WHERE m.tenant = $tenant AND m.thread = $thread AND m.seq > $at
WITH m ORDER BY m.tenant, m.thread, m.seq LIMIT $count
RETURN
// use: message
ORDER BY m.tenant, m.thread, m.seq
