// What may be seen of the entity `e`: how many nodes in use have it in their text ($scan at most are counted), and its spellings there,
// the commonest first. No spelling: no text that may be seen shows it to be a name.
CALL (e) {
  CALL (e) {
    MATCH (n:Knowledge)-[r:MENTIONS]->(e)
    WHERE r.recordedTo = $open AND n.tenant = $tenant AND n.resource IN $resources AND n.status IN ['draft', 'active']
    RETURN r.spelling AS spelling LIMIT $scan
  }
  WITH spelling, count(*) AS times ORDER BY times DESC, spelling
  RETURN sum(times) AS nodes, collect(spelling)[..10] AS spellings
}
