// One level of expansion: from the nodes of `front` along open explicit edges, the strongest path to each new node, capped per node and per level.
// A node with more than $scan edges is a hub: of each type and direction its newest $sample are looked at. Caps are noted as [depth, which, uid].
// Types stand written out: a dynamic type is planned as a walk over all edges with a filter behind it (measured: 120 ms for 100,000 edges).
CALL (front, depth) {
  UNWIND CASE WHEN depth < $maxDepth THEN front ELSE [] END AS step
  WITH step, step.n AS f
  CALL (f) {
    WHEN COUNT { (f)--() } <= $scan OR COUNT { (f)-[:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH]-() } <= $scan THEN {
      MATCH (f)-[r:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH]-(m:Knowledge)
      WHERE r.recordedTo = $open AND CASE WHEN startNode(r) = f THEN type(r) IN $out ELSE type(r) IN $in END
        AND m.tenant = $tenant AND m.status IN $statuses AND m.resource IN $resources AND m.validTo > $now
      RETURN collect([r, m]) AS edges, false AS hub
    } ELSE {
      CALL (f) {
        MATCH (f)-[r:RELATED_TO]->(m:Knowledge) WHERE 'RELATED_TO' IN $out RETURN r, m LIMIT $sample
       UNION ALL
        MATCH (f)<-[r:RELATED_TO]-(m:Knowledge) WHERE 'RELATED_TO' IN $in RETURN r, m LIMIT $sample
       UNION ALL
        MATCH (f)-[r:DEPENDS_ON]->(m:Knowledge) WHERE 'DEPENDS_ON' IN $out RETURN r, m LIMIT $sample
       UNION ALL
        MATCH (f)<-[r:DEPENDS_ON]-(m:Knowledge) WHERE 'DEPENDS_ON' IN $in RETURN r, m LIMIT $sample
       UNION ALL
        MATCH (f)-[r:SUPERSEDES]->(m:Knowledge) WHERE 'SUPERSEDES' IN $out RETURN r, m LIMIT $sample
       UNION ALL
        MATCH (f)<-[r:SUPERSEDES]-(m:Knowledge) WHERE 'SUPERSEDES' IN $in RETURN r, m LIMIT $sample
       UNION ALL
        MATCH (f)-[r:CONFLICTS_WITH]->(m:Knowledge) WHERE 'CONFLICTS_WITH' IN $out RETURN r, m LIMIT $sample
       UNION ALL
        MATCH (f)<-[r:CONFLICTS_WITH]-(m:Knowledge) WHERE 'CONFLICTS_WITH' IN $in RETURN r, m LIMIT $sample
      }
      WITH r, m WHERE r.recordedTo = $open
        AND m.tenant = $tenant AND m.status IN $statuses AND m.resource IN $resources AND m.validTo > $now
      RETURN collect([r, m]) AS edges, true AS hub
    }
  }
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
  // The least of these lists is the strongest path; equal ones go by the parent's uid, then by type.
  WITH m, min([-strength * weight, uid, type(r), startNode(r) <> f, weight, root]) AS best
  WITH m, m.uid AS uid, best ORDER BY best[0], uid
  RETURN collect({n: m, uid: uid, root: best[5], strength: -best[0], seed: m IN seeds,
    row: [uid, -best[0], depth + 1, best[1], best[2], NOT best[3], best[4]]}) AS next
}
WITH pool, seeds, next[..$level] AS next, found, reached, depth + 1 AS depth,
  caps + [x IN walked WHERE x.hub | [depth + 1, 'scan', x.step.uid]] + [x IN walked WHERE x.more | [depth + 1, 'fan', x.step.uid]]
    + CASE WHEN size(next) > $level THEN [[depth + 1, 'level', null]] ELSE [] END AS caps
WITH pool, seeds, found + [x IN next | x.row] AS found, reached + [x IN next | x.n] AS reached,
  [x IN next WHERE NOT x.seed] AS front, depth, caps
