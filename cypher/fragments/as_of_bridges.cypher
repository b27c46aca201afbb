// From the best seeds to nodes that had a telling entity in common with them at $asOf, as search_bridges.
CALL (seeds, hits) {
  UNWIND CASE WHEN $entities > 0 THEN range(0, size(seeds[..$bridgeSeeds]) - 1) ELSE [] END AS at
  WITH seeds[at] AS f, [i IN range(0, size($stems) - 1) WHERE NOT i IN hits[at]] AS residual
  CALL (f, residual) {
    MATCH (f)-[r:MENTIONS]->(e:Entity)
    WHERE e.tenant = $tenant AND NOT $asked CONTAINS ' ' + e.key + ' ' AND
    // use: as_of_open
    WITH DISTINCT f, residual, e
    CALL (e) {
      MATCH (e)<-[r:MENTIONS]-(n:Knowledge)
      WITH r, n LIMIT $scan
      WHERE
      // use: as_of_open
      RETURN collect(n) AS having, collect(r.spelling) AS said
    }
    WITH f, residual, e, having, said WHERE $leastNodes <= size(having) <= $mostNodes
    WITH f, residual, e, having, said ORDER BY size(having), e.key LIMIT $entities
    WITH f, residual, having, [size(having), e.key, coalesce(
      head(COLLECT { UNWIND said AS spelling WITH spelling, count(*) AS times ORDER BY times DESC, spelling RETURN spelling }), e.key)] AS rare
    UNWIND having AS n
    WITH f, residual, n, rare WHERE n <> f AND n.tenant = $tenant AND n.resource IN $resources
    WITH residual, n, min(rare) AS rarest
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
