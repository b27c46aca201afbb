// From the best seeds to nodes that have a telling entity in common with them: one in few nodes which the question ($asked, its folded words) doesn't name.
// Of each seed the rarest entities, and only nodes with a stem of the question that the seed lacks. $entities 0 switches it off.
CALL (seeds) {
  UNWIND CASE WHEN $entities > 0 THEN seeds[..$bridgeSeeds] ELSE [] END AS f
  WITH f, f.uid AS seed
  CALL (f) {
    MATCH (f)-[r:MENTIONS]->(e:Entity)
    WHERE r.recordedTo = $open AND e.tenant = $tenant AND $leastNodes <= e.nodes <= $mostNodes AND NOT $asked CONTAINS ' ' + e.key + ' '
    WITH f, e ORDER BY e.nodes, e.key LIMIT $entities
    MATCH (e)<-[r:MENTIONS]-(t:Knowledge)
    WHERE r.recordedTo = $open AND t <> f AND t.tenant = $tenant AND t.status IN $statuses AND t.resource IN $resources AND t.validTo > $now
    WITH f, t, min([e.nodes, e.key, coalesce(e.name, e.key)]) AS rarest
    WITH f, t, t.uid AS uid, rarest ORDER BY rarest, uid LIMIT $looked
    WITH f.stems AS known, collect([uid, rarest, t]) AS looked
    WITH [i IN range(0, size($stems) - 1) WHERE NOT $stems[i] IN known] AS residual, looked
    UNWIND looked AS one
    WITH residual, one[0] AS uid, one[1] AS rarest, one[2].stems AS stems
    WITH uid, rarest, [i IN residual WHERE $stems[i] IN stems] AS places
    WHERE size(places) > 0
    RETURN uid, rarest, places LIMIT $bridged
  }
  RETURN collect([uid, seed, rarest[2], rarest[0], places]) AS shared
}
