// Lets one transaction at a time add SUPERSEDES edges to a tenant: two that do not touch can close a cycle together.
// params: tenant, now
// returns: none
// write
MERGE (l:Item {tenant: $tenant, uid: 'lock:supersedes'})
SET l.updatedAt = $now
