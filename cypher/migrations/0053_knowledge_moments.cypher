// Full text filters on the time of creation: an hour and an instant among the facets (ranking/moments.py), also of nodes from before.
// params: none
// returns: none
// write
MATCH (n:Knowledge|Revision)
WITH n, datetime({datetime: n.createdAt, timezone: 'Z'}) AS at
WITH n, right('000' + toString(at.year), 4) + right('0' + toString(at.month), 2) + right('0' + toString(at.day), 2)
  + right('0' + toString(at.hour), 2) AS hour,
  right('0' + toString(at.minute), 2) + right('0' + toString(at.second), 2) + right('00000' + toString(at.microsecond), 6) AS rest
WITH n, ' h' + hour + ' s' + hour + rest AS moment
WHERE right(n.facets, size(moment)) <> moment
CALL (n, moment) {
  SET n.facets = n.facets + moment
} IN TRANSACTIONS OF 10000 ROWS
