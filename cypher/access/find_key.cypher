// An API key that may be used. The one look-up without a tenant: the tenant is what it finds.
// params: keyId
// returns: key
// read
MATCH (k:ApiKey {keyId: $keyId})
WHERE k.revokedAt IS NULL
RETURN k {.tenant, .keyId, .hash, .name, .scopes, .resource, .agent} AS key
