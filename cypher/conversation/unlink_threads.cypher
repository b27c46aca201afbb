// Closes the edge between two threads, whichever way it goes.
// params: tenant, from, to, open, now
// returns: closed
// write
MATCH (a:Item&Thread {tenant: $tenant, uid: $from})-[r:RELATED_TO {recordedTo: $open}]-(b:Item&Thread {tenant: $tenant, uid: $to})
SET r.recordedTo =
// use: end
RETURN count(r) AS closed
