// Has edges wait for an end that is missing, or that the caller may not see. Each row has the resources that its caller may see, and
// the only one that it may write about (null: any). One that waits for others already, and would be changed, is told as forbidden.
// params: tenant, rows, now
// returns: from, to, type, forbidden
// write
UNWIND $rows AS row
MERGE (p:Item {tenant: $tenant, uid: row.pendingId})
ON CREATE SET p:PendingLink, p.createdAt = $now, p.from = row.from, p.to = row.to, p.type = row.type, p.bound = row.bound, p += row.properties
WITH row, p, row.bound AS bound
WITH row, p, row.stated AND
// use: pending_of_others
  AND any(name IN keys(row.properties) WHERE
    NOT coalesce(p[name] = row.properties[name], p[name] IS NULL AND row.properties[name] IS NULL)) AS forbidden
SET p.bound = CASE WHEN row.bound IS NOT NULL THEN p.bound END, p += CASE WHEN row.stated AND NOT forbidden THEN row.properties ELSE {} END,
  p.updatedAt = $now, p.missing = row.missing, p.resources = row.resources + [x IN coalesce(p.resources, []) WHERE NOT x IN row.resources]
RETURN row.from AS from, row.to AS to, row.type AS type, forbidden
