// The versions of a node's earlier states, in order.
// params: tenant, uid
// returns: version, content
// read
MATCH (:Item {tenant: $tenant, uid: $uid})-[:PREVIOUS]->(v:Revision)
RETURN v.version AS version, v.content AS content ORDER BY version
