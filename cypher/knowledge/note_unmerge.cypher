// Notes that a merge was undone.
// params: tenant, merge, now
// returns: none
// write
MATCH (m:Item&Merge {tenant: $tenant, uid: $merge})
SET m.undoneAt = $now, m.updatedAt = $now
