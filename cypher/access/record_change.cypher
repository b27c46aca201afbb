// What the call came to. `before` and `after` have a hash, or '', for each of `touched`.
// params: tenant, idempotencyKey, touched, before, after, reply
// returns: none
// write
MATCH (c:Change {tenant: $tenant, idempotencyKey: $idempotencyKey})
SET c.touched = $touched, c.before = $before, c.after = $after, c.reply = $reply, c.updatedAt = c.createdAt
