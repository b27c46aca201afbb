// To any depth: What a node is linked to, level by level, as in a search whose only seed it is.
// params: tenant, resources, about, statuses, from, now, maxDepth, out, in, open, scan, sample, fan, level, mentions, stems
// returns: pool, hits, found, mentions, shared, counts, nodes, caps, unknown
// read
MATCH (n:Item&Knowledge {tenant: $tenant, uid: $from})
WHERE n.resource IN $resources
WITH [[n.uid, 1.0, 0.0, 0.0, 0.0]] AS pool, [n] AS seeds, [{n: n, uid: n.uid, root: n, strength: 1.0}] AS front,
  [] AS reached, [] AS found, 0 AS depth, [] AS caps
// use: search_level
// use: search_level
// use: search_level
// use: search_level
// use: search_mentions
// use: search_unknown
RETURN pool, [] AS hits, found, mentions, [] AS shared, [] AS counts, null AS nodes, caps + cut AS caps, unknown
