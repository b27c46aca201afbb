// An edge between two items, whosever they are.
// params: fromTenant, from, toTenant, to, type, open, now
// returns: none
// write
MATCH (a:Item {tenant: $fromTenant, uid: $from})
MATCH (b:Item {tenant: $toTenant, uid: $to})
CREATE (a)-[:$($type) {recordedFrom: $now, recordedTo: $open}]->(b)
