// From the best seeds to nodes that had a telling entity in common with them at $asOf, as search_bridges.
CALL (seeds, hits) {
  UNWIND CASE WHEN $entities > 0 THEN range(0, size(seeds[..$bridgeSeeds]) - 1) ELSE [] END AS at
  WITH seeds[at] AS f, [i IN range(0, size($stems) - 1) WHERE NOT i IN hits[at]] AS residual
  CALL (f, residual) {
    MATCH (f)-[r:MENTIONS]->(e:Entity)
    WHERE e.tenant = $tenant AND NOT $asked CONTAINS ' ' + e.key + ' ' AND
    // use: as_of_open
    WITH DISTINCT f, residual, e
    WITH f, residual, e, COUNT {
      MATCH (e)<-[r:MENTIONS]-(:Knowledge) WHERE
      // use: as_of_open
    } AS having
    WHERE $leastNodes <= having <= $mostNodes
    WITH f, residual, e, having ORDER BY having, e.key LIMIT $entities
    MATCH (e)<-[r:MENTIONS]-(n:Knowledge)
    WHERE n <> f AND n.tenant = $tenant AND n.resource IN $resources AND
    // use: as_of_open
    WITH residual, n, min([having, e.key, coalesce(e.name, e.key)]) AS rarest
    WITH residual, n, rarest,
    // use: as_of_state
    WITH residual, n.uid AS uid, rarest, s WHERE
    // use: as_of_shown
    WITH residual, uid, rarest, s.stems AS stems ORDER BY rarest, uid LIMIT $looked
    WITH uid, rarest, [i IN residual WHERE $stems[i] IN stems] AS places
    WHERE size(places) > 0
    RETURN uid, rarest, places LIMIT $bridged
  }
  RETURN collect([uid, f.uid, rarest[2], rarest[0], places]) AS shared
}
