// Stores the vectors of what nodes once said.
// params: tenant, rows, maker
// returns: id
// write
// use: only_of_a_generation
UNWIND $rows AS row
MATCH (v:Item&Revision {tenant: $tenant, uid: row.uid})
CALL db.create.setNodeVectorProperty(v, 'embedding_GENERATION', row.vector)
SET v.embeddedText = row.text
RETURN v.uid AS id
