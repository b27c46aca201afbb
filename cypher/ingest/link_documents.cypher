// Says from which document each note was taken. Rows are in order of the notes' ids.
// params: tenant, rows
// returns: none
// write
UNWIND $rows AS row
MATCH (n:Item&Knowledge {tenant: $tenant, uid: row.uid})
MATCH (d:Item&Document {tenant: $tenant, uid: row.document})
MERGE (n)-[r:DERIVED_FROM]->(d)
SET r.origin = 'auto', r.openedBy = null
