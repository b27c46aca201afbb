// The shortest typed path between two nodes, whatever their own status, of at most eight edges, through nodes that a search would find.
// params: tenant, resources, statuses, now, from, to, out, in, open
// returns: nodes, steps
// read
MATCH (a:Item&Knowledge {tenant: $tenant, uid: $from})
WHERE a.resource IN $resources
MATCH (b:Item&Knowledge {tenant: $tenant, uid: $to})
WHERE b.resource IN $resources
MATCH p = ANY SHORTEST (a)
  ((x:Knowledge)-[r:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH|MENTIONS]-(y:Knowledge)
    WHERE r.recordedTo = $open AND CASE WHEN startNode(r) = x THEN type(r) IN $out ELSE type(r) IN $in END
      AND y.tenant = $tenant AND y.resource IN $resources AND (y.uid = $to OR y.status IN $statuses AND y.validTo > $now)){1,8} (b)
RETURN [n IN nodes(p) | n.uid] AS nodes, [r IN relationships(p) | [type(r), startNode(r).uid]] AS steps
