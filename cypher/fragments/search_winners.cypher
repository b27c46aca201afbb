CALL (uids) {
  UNWIND range(0, size(uids) - 1) AS place
  MATCH (n:Item&Knowledge {tenant: $tenant, uid: uids[place]})
  WHERE n.resource IN $resources
  WITH place, n ORDER BY place
  RETURN collect(n) AS winners, collect([n.uid] + [name IN $properties | n[name]]) AS rows
}
CALL (winners) {
  UNWIND CASE WHEN $edges > 0 THEN winners ELSE [] END AS n
  CALL (n, winners) {
    CALL (n, winners) {
      WHEN COUNT { (n)-->() } <= $scan THEN {
        MATCH (n)-[r:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH|MENTIONS]->(m:Knowledge)
        RETURN r, m
      } ELSE {
        CALL (n, winners) {
          UNWIND winners AS m
          MATCH (n)-[r:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH|MENTIONS]->(m)
          RETURN r, m
         UNION ALL
          MATCH (n)-[r:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH|MENTIONS]->(m:Knowledge)
          RETURN r, m LIMIT $scan
        }
        RETURN r, m
      }
    }
    WITH r, m
    WHERE r.recordedTo = $open AND m.tenant = $tenant AND m.status IN $statuses AND m.resource IN $resources AND m.validTo > $now
    WITH DISTINCT m.uid AS target, type(r) AS kind, m IN winners AS among, r.weight AS weight
    RETURN target, kind, weight ORDER BY among DESC, weight DESC, target, kind LIMIT $edges
  }
  RETURN collect([n.uid, target, kind, weight]) AS edges
}
