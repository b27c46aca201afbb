// Ends an API key, once; a caller that is bound can end keys of its own binding only.
// params: tenant, keyId, resource, agent, now
// returns: key, revoked
// write
MATCH (k:ApiKey {keyId: $keyId})
WHERE k.tenant = $tenant AND ($resource IS NULL OR k.resource = $resource) AND ($agent IS NULL OR k.agent = $agent)
SET k._lock = true
WITH k, k.revokedAt IS NULL AS live
SET k._lock = null, k.revokedAt = coalesce(k.revokedAt, $now), k.updatedAt = CASE WHEN live THEN $now ELSE k.updatedAt END
RETURN k {.tenant, .keyId, .name, .scopes, .resource, .agent, .createdAt, .revokedAt} AS key, live AS revoked
