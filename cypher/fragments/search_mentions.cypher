// From the seeds along automatic mentions, one directed hop, with the places in $stems of the stems that stand in the target. $mentions 0 switches it off.
CALL (seeds) {
  UNWIND CASE WHEN $mentions > 0 THEN seeds ELSE [] END AS f
  CALL (f) {
    MATCH (f)-[r:MENTIONS]->(t:Knowledge)
    WITH r, t LIMIT $scan
    WHERE r.recordedTo = $open AND t.tenant = $tenant AND t.status IN $statuses AND t.resource IN $resources AND t.validTo > $now
    WITH DISTINCT t, t.uid AS uid ORDER BY uid
    WITH collect(t) AS targets
    RETURN targets[..$mentions] AS targets, size(targets) > $mentions AS more
  }
  WITH collect({uid: f.uid, targets: targets, more: more}) AS walked
  CALL (walked) {
    UNWIND walked AS walk
    UNWIND walk.targets AS t
    WITH t, collect(walk.uid) AS sources
    WITH t, sources, t.stems AS stems
    RETURN collect([t.uid, sources, [i IN range(0, size($stems) - 1) WHERE $stems[i] IN stems]]) AS mentions
  }
  RETURN mentions, [x IN walked WHERE x.more | [1, 'mentions', x.uid]] AS cut
}
