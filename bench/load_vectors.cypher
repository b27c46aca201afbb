// Gives nodes their vectors.
// params: tenant, rows
// returns: none
// write
UNWIND $rows AS row
MATCH (n:Item {tenant: $tenant, uid: row.uid})
SET n.embeddedText = row.text
WITH n, row
CALL db.create.setNodeVectorProperty(n, 'embedding_GENERATION', row.vector)
