// The open automatic edges of a tenant.
// params: tenant, open
// returns: from, to
// read
MATCH (a:Knowledge {tenant: $tenant})-[:MENTIONS {recordedTo: $open}]->(b:Knowledge)
RETURN a.uid AS from, b.uid AS to
