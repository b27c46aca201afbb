// The first of the given pairs whose target already supersedes its source, directly or through others.
// params: tenant, pairs, open
// returns: from, to
// read
UNWIND $pairs AS pair
MATCH (a:Item {tenant: $tenant, uid: pair[0]})
MATCH (b:Item {tenant: $tenant, uid: pair[1]})
MATCH ANY SHORTEST (b)-[rs:SUPERSEDES WHERE rs.recordedTo = $open]->+(a)
RETURN pair[0] AS from, pair[1] AS to LIMIT 1
