// Gives the lease on migrating back.
// params: owner
// returns: none
// write
MATCH (l:MigrationLock {name: 'schema', owner: $owner})
SET l.owner = null, l.leaseUntil = null
