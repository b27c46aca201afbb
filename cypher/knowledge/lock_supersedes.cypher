// Lets one transaction at a time add SUPERSEDES edges to a tenant: two that do not touch can close a cycle together.
// The id of the lock is blank, which no id given by a caller is.
// params: tenant, now
// returns: none
// write
MERGE (l:Item {tenant: $tenant, uid: ' '})
ON CREATE SET l.createdAt = $now
SET l.updatedAt = $now
