// Says what nodes were taken from. Evidence that a merge had brought is the node's own then.
// params: tenant, rows, now
// returns: none
// write
UNWIND $rows AS row
MATCH (n:Item&Knowledge {tenant: $tenant, uid: row.uid})
MATCH (d:Item&Document {tenant: $tenant, uid: row.document})
MERGE (n)-[r:DERIVED_FROM]->(d)
ON CREATE SET r.origin = 'explicit', r.createdAt = $now
SET r.openedBy = null
