// The lease on migrating.
// params: none
// returns: owner, until
// read
MATCH (l:MigrationLock {name: 'schema'})
RETURN l.owner AS owner, l.leaseUntil AS until
