// What was asked for of the winners of a search as they were at $asOf, in their order, and the edges out of them then.
// params: tenant, uids, statuses, resources, asOf, begunBy, endsAfter, edgesEndAfter, lapsed, properties, scan, edges
// returns: rows, edges
// read
CALL () {
  UNWIND range(0, size($uids) - 1) AS place
  MATCH (n:Item&Knowledge {tenant: $tenant, uid: $uids[place]})
  WHERE n.resource IN $resources
  WITH place, n,
  // use: as_of_state
  WITH place, n, s WHERE s IS NOT NULL
  WITH place, n, s ORDER BY place
  RETURN collect(n) AS winners, collect([n.uid] + [name IN $properties | s[name]]) AS rows
}
CALL (winners) {
  UNWIND CASE WHEN $edges > 0 THEN winners ELSE [] END AS f
  CALL (f, winners) {
    CALL (f, winners) {
      WHEN COUNT { (f)-->() } <= $scan THEN {
        MATCH (f)-[r:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH|MENTIONS]->(n:Knowledge)
        RETURN r, n
      } ELSE {
        CALL (f, winners) {
          UNWIND winners AS n
          MATCH (f)-[r:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH|MENTIONS]->(n)
          RETURN r, n
         UNION ALL
          MATCH (f)-[r:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH|MENTIONS]->(n:Knowledge)
          RETURN r, n LIMIT $scan
        }
        RETURN r, n
      }
    }
    WITH r, n WHERE n.tenant = $tenant AND n.resource IN $resources AND
    // use: as_of_open
    WITH DISTINCT r, n, n IN winners AS among
    WITH r, n, among,
    // use: as_of_state
    WITH n, r, among, s WHERE
    // use: as_of_shown
    WITH DISTINCT n.uid AS target, type(r) AS kind, among, r.weight AS weight
    RETURN target, kind, weight ORDER BY among DESC, weight DESC, target, kind LIMIT $edges
  }
  RETURN collect([f.uid, target, kind, weight]) AS edges
}
RETURN rows, edges
