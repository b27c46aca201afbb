// Makes a notice for an agent.
// params: tenant, agent, uid, text, source, expiresAt, now
// returns: uid
// write
CREATE (n:Item:Notice {tenant: $tenant, uid: $uid, text: $text, agent: $agent, waitsFor: $agent, createdAt: $now, updatedAt: $now})
SET n.source = $source, n.expiresAt = $expiresAt
RETURN n.uid AS uid
