// Closes the edge between two threads, whichever way it goes.
// params: tenant, from, to, open, now
// returns: closed
// write
MATCH (a:Item&Thread {tenant: $tenant, uid: $from})-[e:RELATED_TO {recordedTo: $open}]-(b:Item&Thread {tenant: $tenant, uid: $to})
SET e.recordedTo = $now
RETURN count(e) AS closed
