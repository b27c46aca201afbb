// To any depth: what a node was linked to at $asOf, level by level, as in a search whose only seed it is.
// params: tenant, statuses, resources, about, from, asOf, begunBy, endsAfter, edgesEndAfter, lapsed, maxDepth, out, in, scan, fan, level, mentions, stems
// returns: pool, hits, found, mentions, shared, counts, nodes, caps, unknown
// read
MATCH (n:Item&Knowledge {tenant: $tenant, uid: $from})
WHERE n.resource IN $resources
WITH n,
// use: as_of_state
WITH n, s WHERE s IS NOT NULL
WITH [[n.uid, 1.0, 0.0, 0.0, 0.0]] AS pool, [n] AS seeds, [[i IN range(0, size($stems) - 1) WHERE $stems[i] IN s.stems]] AS hits,
  [{n: n, uid: n.uid, root: n, strength: 1.0}] AS front, [] AS reached, [] AS found, 0 AS depth, [] AS caps
// use: as_of_level
// use: as_of_level
// use: as_of_level
// use: as_of_level
// use: as_of_mentions
// use: search_unknown
RETURN pool, hits, found, mentions, [] AS shared, [] AS counts, null AS nodes, caps + cut AS caps, unknown
