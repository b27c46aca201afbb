// The first messages of a thread behind a place that name one of the tool calls; `calls`: as they stand in parts.
// params: tenant, thread, at, calls, count
// returns: message
// read
MATCH (t:Item&Thread {tenant: $tenant, uid: $thread})
MATCH (m:Message)
WHERE m.tenant = $tenant AND m.thread = $thread AND m.seq > $at AND any(call IN $calls WHERE m.parts CONTAINS call)
WITH t, m ORDER BY m.seq LIMIT $count
RETURN
// use: message
