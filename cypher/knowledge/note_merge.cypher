// Notes what became one: `rows` have each node's version before and after.
// params: tenant, merge, rows, now
// returns: none
// write
CREATE (m:Item:Merge {tenant: $tenant, uid: $merge, createdAt: $now, updatedAt: $now})
WITH m
UNWIND $rows AS row
MATCH (n:Item&Knowledge {tenant: $tenant, uid: row.uid})
CREATE (m)-[:MERGED {kept: row.kept, before: row.before, after: row.after}]->(n)
