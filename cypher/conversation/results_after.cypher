// Messages of a thread behind a place that name one of the tool calls.
// params: tenant, thread, at, calls
// returns: message
// read
MATCH (t:Item&Thread {tenant: $tenant, uid: $thread})
MATCH (m:Message)
WHERE m.tenant = $tenant AND m.thread = $thread AND m.seq > $at AND any(call IN $calls WHERE m.parts CONTAINS call)
RETURN
// use: message
