// Makes an API key in a tenant that never had one. The key id is the same for every caller, so the constraint lets one be first.
// params: tenant, keyId, properties
// returns: made
// write
WITH EXISTS { MATCH (k:ApiKey) WHERE k.tenant = $tenant AND k.createdAt IS NOT NULL } AS had
FILTER NOT had
MERGE (k:ApiKey {keyId: $keyId})
ON CREATE SET k:Item, k.tenant = $tenant, k.uid = $keyId, k += $properties
RETURN k.hash = $properties.hash AS made
