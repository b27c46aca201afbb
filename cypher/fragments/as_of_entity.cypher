// What of the entity `e` was to be seen at $asOf, as entity.
CALL (e) {
  CALL (e) {
    MATCH (n:Knowledge)-[r:MENTIONS]->(e)
    WHERE n.tenant = $tenant AND n.resource IN $resources AND
    // use: as_of_open
    WITH n, r.spelling AS spelling,
    // use: as_of_state
    WITH spelling, s WHERE
    // use: as_of_shown
    RETURN spelling LIMIT $scan
  }
  WITH spelling, count(*) AS times ORDER BY times DESC, spelling
  RETURN sum(times) AS nodes, collect(spelling)[..10] AS spellings
}
