// All fields of the profile of `o`, those that are unset too; then `p` and `fields`.
OPTIONAL MATCH (o)-[:HAS_PROFILE]->(p:Profile)
CALL (p) {
  MATCH (p)-[:HAS_FIELD]->(f:Field)
  WITH f ORDER BY f.name
  RETURN collect(f {.uid, .name, .value, .text, .tokens, .source, .sourceGone, .asOf, .verifyElsewhere, .version, .at, .createdAt,
    .recordedFrom}) AS fields
}
