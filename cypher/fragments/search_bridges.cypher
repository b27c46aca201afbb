// From the best seeds to nodes that have a telling entity in common with them: one in few nodes which the question ($asked, its folded words) doesn't name.
// Of each seed the rarest entities, and only nodes with a stem of the question that the seed lacks. $entities 0 switches it off.
CALL (seeds) {
  UNWIND CASE WHEN $entities > 0 THEN seeds[..$bridgeSeeds] ELSE [] END AS f
  WITH f, f.uid AS seed, f.stems AS stems
  WITH f, seed, [i IN range(0, size($stems) - 1) WHERE NOT $stems[i] IN stems] AS residual
  CALL (f, residual) {
    MATCH (f)-[r:MENTIONS]->(e:Entity)
    WHERE r.recordedTo = $open AND e.tenant = $tenant AND $leastNodes <= e.nodes <= $mostNodes AND NOT $asked CONTAINS ' ' + e.key + ' '
    WITH f, residual, e ORDER BY e.nodes, e.key LIMIT $entities
    MATCH (e)<-[r:MENTIONS]-(t:Knowledge)
    WHERE r.recordedTo = $open AND t <> f AND t.tenant = $tenant AND t.status IN $statuses AND t.resource IN $resources AND t.validTo > $now
    WITH residual, t, min([e.nodes, e.key, coalesce(e.name, e.key)]) AS rarest
    WITH residual, t, t.uid AS uid, rarest ORDER BY rarest, uid LIMIT $looked
    WITH residual, uid, rarest, t.stems AS stems
    WITH uid, rarest, [i IN residual WHERE $stems[i] IN stems] AS places
    WHERE size(places) > 0
    RETURN uid, rarest, places LIMIT $bridged
  }
  RETURN collect([uid, seed, rarest[2], rarest[0], places]) AS shared
}
