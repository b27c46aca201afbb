// The stored properties of an edge, closed ones included.
// params: tenant, from, to, type
// returns: edge
// read
MATCH (:Item {tenant: $tenant, uid: $from})-[r]->(:Item {tenant: $tenant, uid: $to})
WHERE type(r) = $type
RETURN properties(r) AS edge ORDER BY r.recordedFrom
