// Says from which document notes were taken. Ids are in order.
// params: tenant, uid, ids
// returns: none
// write
MATCH (d:Item&Document {tenant: $tenant, uid: $uid})
UNWIND $ids AS id
MATCH (n:Item&Knowledge {tenant: $tenant, uid: id})
MERGE (n)-[:DERIVED_FROM]->(d)
