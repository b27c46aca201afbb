// Which documents may be seen, and whether a node, which need not exist, was taken from them. One that may not has no row.
// params: tenant, resources, rows
// returns: id, document, known
// read
UNWIND $rows AS row
MATCH (d:Item&Document {tenant: $tenant, uid: row.document})
WHERE d.resource IN $resources
RETURN row.uid AS id, row.document AS document, EXISTS { (d)<-[:DERIVED_FROM]-(:Item {tenant: $tenant, uid: row.uid}) } AS known
