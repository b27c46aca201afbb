// One level of expansion, as search_level, along the edges that were open at $asOf to the nodes as they were then.
// Of a hub its newest $scan edges are looked at.
CALL (front, depth) {
  UNWIND CASE WHEN depth < $maxDepth THEN front ELSE [] END AS step
  WITH step, step.n AS f
  CALL (f) {
    MATCH (f)-[r:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH]-(n:Knowledge)
    WITH r, n LIMIT $scan + 1
    WITH collect([r, n]) AS looked
    RETURN looked[..$scan] AS looked, size(looked) > $scan AS hub
  }
  UNWIND looked AS pair
  WITH step, hub, f, pair[0] AS r, pair[1] AS n
  WHERE CASE WHEN startNode(r) = f THEN type(r) IN $out ELSE type(r) IN $in END
    AND n.tenant = $tenant AND n.resource IN $resources AND
  // use: as_of_open
  WITH step, hub, r, n,
  // use: as_of_state
  WITH step, hub, r, n, s WHERE
  // use: as_of_shown
  WITH step, hub, collect([r, n]) AS edges
  RETURN collect({step: step, hub: hub, more: size(edges) > $fan, edges: CASE WHEN size(edges) <= $fan THEN edges ELSE
    COLLECT { UNWIND edges AS edge RETURN edge ORDER BY edge[0].weight DESC, edge[1].uid, type(edge[0]) LIMIT $fan } END}) AS walked
}
CALL (walked, seeds, reached, depth) {
  UNWIND walked AS walk
  WITH walk.step AS step, walk.edges AS edges
  WITH step.n AS f, step.uid AS uid, step.root AS root, step.strength AS strength, edges
  UNWIND edges AS edge
  WITH f, uid, root, edge[1] AS m, edge[0] AS r, edge[0].weight AS weight, strength
  WHERE NOT m IN reached AND m <> root
  WITH m, min([-strength * weight, uid, type(r), startNode(r) <> f, weight, root]) AS best
  WITH m, m.uid AS uid, best ORDER BY best[0], uid
  RETURN collect({n: m, uid: uid, root: best[5], strength: -best[0], seed: m IN seeds,
    row: [uid, -best[0], depth + 1, best[1], best[2], NOT best[3], best[4]]}) AS next
}
WITH pool, seeds, hits, next[..$level] AS next, found, reached, depth + 1 AS depth,
  caps + [x IN walked WHERE x.hub | [depth + 1, 'scan', x.step.uid]] + [x IN walked WHERE x.more | [depth + 1, 'fan', x.step.uid]]
    + CASE WHEN size(next) > $level THEN [[depth + 1, 'level', null]] ELSE [] END AS caps
WITH pool, seeds, hits, found + [x IN next | x.row] AS found, reached + [x IN next | x.n] AS reached,
  [x IN next WHERE NOT x.seed] AS front, depth, caps
