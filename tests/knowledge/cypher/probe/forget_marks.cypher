// Takes from a tenant's nodes and edges what versions before did not write.
// params: tenant
// returns: none
// write
MATCH (n:Knowledge {tenant: $tenant})
SET n.overLong = null
WITH n
MATCH (n)-[r:CONFLICTS_WITH|DERIVED_FROM]->()
SET r.tenant = null, r.origin = null
