// Gives edges that wait other ends, and with them other ids; where one waits already under such an id, both stay as they are.
// params: tenant, rows, merge, now
// returns: moved
// write
UNWIND $rows AS row
MATCH (p:Item&PendingLink {tenant: $tenant, uid: row.uid})
OPTIONAL MATCH (there:Item {tenant: $tenant, uid: row.pendingId})
WITH p, row, there WHERE there IS NULL
SET p.uid = row.pendingId, p.from = row.from, p.to = row.to, p.movedBy = $merge, p.movedFrom = row.movedFrom, p.updatedAt = $now
RETURN count(p) AS moved
