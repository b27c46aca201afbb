// The nodes in whose texts the given names stand.
// params: tenant, ids
// returns: ids
// read
UNWIND $ids AS id
MATCH (m:Item&Name {tenant: $tenant, uid: id})<-[:CONTAINS]-(n:Knowledge {tenant: $tenant})
RETURN collect(DISTINCT n.uid) AS ids
