// Makes an API key.
// params: tenant, keyId, properties
// returns: none
// write
CREATE (k:Item:ApiKey {tenant: $tenant, uid: $keyId, keyId: $keyId})
SET k += $properties
