// What was asked for of the winners of a search, in their order, and the open edges out of them and among them.
// params: tenant, uids, statuses, resources, now, properties, edgeTypes, open, scan, edges
// returns: rows, edges
// read
CALL () {
  UNWIND range(0, size($uids) - 1) AS place
  MATCH (n:Item&Knowledge {tenant: $tenant, uid: $uids[place]})
  WHERE n.resource IN $resources
  WITH place, n ORDER BY place
  RETURN collect(n) AS winners, collect([n.uid] + [name IN $properties | n[name]]) AS rows
}
CALL (winners) {
  UNWIND CASE WHEN $edges > 0 THEN winners ELSE [] END AS n
  CALL (n, winners) {
    CALL (n) {
      MATCH (n)-[r:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH|MENTIONS]-(m:Knowledge)
      RETURN r, m LIMIT $scan
    }
    WITH n, r, m, m IN winners AS among
    WHERE (among OR startNode(r) = n) AND type(r) IN $edgeTypes AND r.recordedTo = $open
      AND m.tenant = $tenant AND m.status IN $statuses AND m.resource IN $resources AND m.validTo > $now
    WITH DISTINCT startNode(r).uid AS source, endNode(r).uid AS target, type(r) AS kind, among, r.weight AS weight, m.uid AS uid
    RETURN source, target, kind ORDER BY among DESC, weight DESC, uid, kind LIMIT $edges
  }
  RETURN collect(DISTINCT [source, target, kind]) AS edges
}
RETURN rows, edges
