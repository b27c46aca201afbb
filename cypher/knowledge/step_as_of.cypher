// The nodes one step from the given ones along edges that were open at $asOf, each with one way there; only nodes that a search of that
// time would find, and those of $ends whatever their status. $out: types walked along their direction, $in: against it.
// params: tenant, resources, statuses, asOf, begunBy, endsAfter, edgesEndAfter, lapsed, ids, ends, out, in, scan
// returns: uid, via
// read
UNWIND $ids AS id
MATCH (f:Item&Knowledge {tenant: $tenant, uid: id})
CALL (f) {
  MATCH (f)-[r:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH|MENTIONS]-(n:Knowledge)
  RETURN r, n LIMIT $scan
}
WITH f, r, n
WHERE CASE WHEN startNode(r) = f THEN type(r) IN $out ELSE type(r) IN $in END
  AND n.tenant = $tenant AND n.resource IN $resources AND
// use: as_of_open
WITH n, min([f.uid, type(r), startNode(r).uid]) AS via
WITH n, via,
// use: as_of_state
WITH n, via, s WHERE s IS NOT NULL AND (n.uid IN $ends OR
// use: as_of_shown
)
RETURN n.uid AS uid, via
