// From the seeds along the mentions that were open at $asOf, as search_mentions.
CALL (seeds) {
  UNWIND CASE WHEN $mentions > 0 THEN seeds ELSE [] END AS f
  CALL (f) {
    MATCH (f)-[r:MENTIONS]->(n:Knowledge)
    WITH r, n LIMIT $scan
    WHERE n.tenant = $tenant AND n.resource IN $resources AND
    // use: as_of_open
    WITH DISTINCT n
    WITH n,
    // use: as_of_state
    WITH n.uid AS uid, s WHERE
    // use: as_of_shown
    WITH uid, s.stems AS stems ORDER BY uid
    WITH collect({uid: uid, stems: stems}) AS targets
    RETURN targets[..$mentions] AS targets, size(targets) > $mentions AS more
  }
  WITH collect({uid: f.uid, targets: targets, more: more}) AS walked
  CALL (walked) {
    UNWIND walked AS walk
    UNWIND walk.targets AS t
    WITH t.uid AS uid, t.stems AS stems, collect(walk.uid) AS sources
    RETURN collect([uid, sources, [i IN range(0, size($stems) - 1) WHERE $stems[i] IN stems]]) AS mentions
  }
  RETURN mentions, [x IN walked WHERE x.more | [1, 'mentions', x.uid]] AS cut
}
