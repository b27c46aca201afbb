// Has edges wait for an end that is missing, or that the caller may not see. Each row has the resources that its caller may see, and
// the only one that it may write about (null: any).
// params: tenant, rows, now
// returns: none
// write
UNWIND $rows AS row
MERGE (p:Item {tenant: $tenant, uid: row.pendingId})
ON CREATE SET p:PendingLink, p.createdAt = $now, p.from = row.from, p.to = row.to, p.type = row.type, p.bound = row.bound, p += row.properties
ON MATCH SET p.bound = CASE WHEN row.bound IS NOT NULL THEN p.bound END, p += CASE WHEN row.stated THEN row.properties ELSE {} END
SET p.updatedAt = $now, p.missing = row.missing, p.resources = row.resources + [x IN coalesce(p.resources, []) WHERE NOT x IN row.resources]
