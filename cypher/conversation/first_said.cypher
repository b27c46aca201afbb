// The first user messages of a thread that say something, in order.
// params: tenant, thread, count
// returns: message
// read
MATCH (m:Message)
WHERE m.tenant = $tenant AND m.thread = $thread AND m.seq > 0
WITH m ORDER BY m.tenant, m.thread, m.seq
WHERE m.role = 'user' AND m.content <> ''
WITH m LIMIT $count
RETURN
// use: message
ORDER BY m.tenant, m.thread, m.seq
