// Notes that a table is stored whole, and which edges it made.
// params: tenant, uid, storedHash, edges
// returns: none
// write
MATCH (d:Item&Document {tenant: $tenant, uid: $uid})
SET d.storedHash = $storedHash, d.edges = $edges
