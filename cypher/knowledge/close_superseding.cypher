// Closes the edges by which others supersede a node.
// params: tenant, uid, open, now
// returns: from
// write
MATCH (n:Item&Knowledge {tenant: $tenant, uid: $uid})<-[r:SUPERSEDES]-(m:Knowledge)
WHERE r.recordedTo = $open
SET r.validTo = CASE WHEN r.validTo > $now THEN $now ELSE r.validTo END, r.recordedTo =
// use: end
RETURN m.uid AS from
