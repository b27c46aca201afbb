// The log's entry for an idempotency key: a new one, under `uid`, or the one that is there. Another call with the key waits here
// until this transaction ends. Microseconds, because a cursor has no finer place.
// params: tenant, idempotencyKey, uid, inputHash, action, keyId, keyName, resource, agent
// returns: uid, inputHash, reply
// write
MERGE (c:Change {tenant: $tenant, idempotencyKey: $idempotencyKey})
ON CREATE SET c:Item, c.uid = $uid, c.inputHash = $inputHash, c.action = $action, c.keyId = $keyId, c.keyName = $keyName,
  c.resource = $resource, c.agent = $agent, c.createdAt = datetime.truncate('microsecond', datetime.realtime('Z'))
RETURN c.uid AS uid, c.inputHash AS inputHash, c.reply AS reply
