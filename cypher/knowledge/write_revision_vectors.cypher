// Stores the vectors of what nodes once said.
// params: tenant, rows
// returns: none
// write
UNWIND $rows AS row
MATCH (v:Item&Revision {tenant: $tenant, uid: row.uid})
CALL db.create.setNodeVectorProperty(v, 'embedding_GENERATION', row.vector)
SET v.embeddedText = row.text
