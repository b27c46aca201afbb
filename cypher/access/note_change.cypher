// The log's entry of a call whose key is its own, with what it came to: `claim_change` and `record_change` in one.
// params: tenant, idempotencyKey, uid, inputHash, action, keyId, keyName, resource, agent, touched, before, after, reply
// returns: none
// write
CREATE (c:Item:Change {tenant: $tenant, idempotencyKey: $idempotencyKey, uid: $uid, inputHash: $inputHash, action: $action,
  keyId: $keyId, keyName: $keyName, touched: $touched, before: $before, after: $after, reply: $reply})
SET c.resource = $resource, c.agent = $agent, c.createdAt = datetime.truncate('microsecond', datetime.realtime('Z'))
SET c.updatedAt = c.createdAt
