// A page of open CONFLICTS_WITH edges between nodes in use, in the order of their making, from behind a place (null: the beginning).
// params: tenant, resources, statuses, open, afterTime, afterKey, count
// returns: edge, first, second
// read
MATCH (a:Knowledge)-[r:CONFLICTS_WITH]->(b:Knowledge)
USING INDEX r:CONFLICTS_WITH(tenant, recordedTo, createdAt)
WHERE r.tenant = $tenant AND r.recordedTo = $open AND r.createdAt >= coalesce($afterTime, datetime({year: -9999}))
  AND a.tenant = $tenant AND b.tenant = $tenant AND a.resource IN $resources AND b.resource IN $resources
  AND a.status IN $statuses AND b.status IN $statuses
WITH a, r, b, a.uid + ' ' + b.uid AS key
WHERE $afterTime IS NULL OR r.createdAt > $afterTime OR key > $afterKey
ORDER BY r.tenant, r.recordedTo, r.createdAt, key LIMIT $count
RETURN r {from: a.uid, to: b.uid, type: type(r), .weight, .confidence, .origin, .source, .reason, .createdAt} AS edge,
  a {.uid, .title, .content, .type, .aliases, .source, .confidence, .status, .resource, .tags, .metadata,
    .createdAt, .updatedAt, .validFrom, .validTo, .version} AS first,
  b {.uid, .title, .content, .type, .aliases, .source, .confidence, .status, .resource, .tags, .metadata,
    .createdAt, .updatedAt, .validFrom, .validTo, .version} AS second
