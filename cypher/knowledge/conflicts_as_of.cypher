// A page of the CONFLICTS_WITH edges that were open at $asOf, and valid, between nodes in use then, as conflicts; nodes as they were.
// params: tenant, resources, statuses, asOf, begunBy, endsAfter, edgesEndAfter, lapsed, afterTime, afterKey, count
// returns: edge, first, second
// read
MATCH (a:Knowledge)-[r:CONFLICTS_WITH]->(b:Knowledge)
USING INDEX r:CONFLICTS_WITH(tenant, recordedTo, createdAt)
WHERE r.tenant = $tenant AND r.recordedTo > $asOf AND r.createdAt >= coalesce($afterTime, datetime({year: -9999}))
  AND a.tenant = $tenant AND b.tenant = $tenant AND a.resource IN $resources AND b.resource IN $resources AND
// use: as_of_open
WITH a, r, b, a.uid + ' ' + b.uid AS key
WHERE $afterTime IS NULL OR r.createdAt > $afterTime OR key > $afterKey
WITH a, r, b, key, a AS n
WITH a, r, b, key,
// use: as_of_state
WITH a, r, b, key, s WHERE
// use: as_of_shown
WITH a, r, b, key, s AS one, b AS n
WITH a, r, b, key, one,
// use: as_of_state
WITH a, r, b, key, one, s WHERE
// use: as_of_shown
WITH a, r, b, key, one, s AS other ORDER BY r.createdAt, key LIMIT $count
RETURN r {from: a.uid, to: b.uid, type: type(r), .weight, .confidence, .origin, .source, .reason, .createdAt} AS edge,
  one {uid: a.uid, .title, .content, .type, .aliases, .source, .confidence, .status, .resource, .tags, .metadata,
    .createdAt, .updatedAt, .validFrom, .validTo, .version} AS first,
  other {uid: b.uid, .title, .content, .type, .aliases, .source, .confidence, .status, .resource, .tags, .metadata,
    .createdAt, .updatedAt, .validFrom, .validTo, .version} AS second
ORDER BY r.createdAt, key
