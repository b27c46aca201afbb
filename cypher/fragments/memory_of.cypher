// The profile `p` of the owner `o`, and the fields that are set in it.
OPTIONAL MATCH (o)-[:HAS_PROFILE]->(p:Profile)
CALL (p) {
  MATCH (p)-[:HAS_FIELD]->(f:Field)
  WHERE f.value IS NOT NULL
  WITH f ORDER BY f.createdAt, f.name
  RETURN collect(f {.uid, .name, .value, .text, .tokens, .source, .sourceGone, .asOf, .verifyElsewhere, .version, .at, .createdAt,
    .recordedFrom}) AS fields
}
