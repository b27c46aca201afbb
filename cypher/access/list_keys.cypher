// The API keys of a tenant: those in use first, then newest first.
// params: tenant, limit
// returns: key
// read
MATCH (k:ApiKey)
WHERE k.tenant = $tenant AND k.createdAt IS NOT NULL
WITH k ORDER BY k.revokedAt IS NOT NULL, k.createdAt DESC, k.keyId LIMIT $limit
RETURN k {.tenant, .keyId, .name, .scopes, .resource, .agent, .createdAt, .revokedAt} AS key
ORDER BY k.revokedAt IS NOT NULL, k.createdAt DESC, k.keyId
