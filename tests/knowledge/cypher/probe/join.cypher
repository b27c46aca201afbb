// An edge between any two items, of whatever tenant, with a type that no verb would give.
// params: from, to, type, weight, open, now
// returns: none
// write
MATCH (a:Item {tenant: $from[0], uid: $from[1]})
MATCH (b:Item {tenant: $to[0], uid: $to[1]})
CREATE (a)-[:$($type) {recordedFrom: $now, recordedTo: $open, origin: 'explicit', weight: $weight, confidence: 1.0, createdAt: $now}]->(b)
