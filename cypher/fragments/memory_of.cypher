// The profile `p` of the owner `o`, and the fields that are set in it, instants in microseconds (graph/instants.py).
OPTIONAL MATCH (o)-[:HAS_PROFILE]->(p:Profile)
CALL (p) {
  MATCH (p)-[:HAS_FIELD]->(f:Field)
  WHERE f.value IS NOT NULL
  WITH f ORDER BY f.createdAt, f.name
  RETURN collect(f {.uid, .name, .value, .text, .tokens, .source, .sourceGone, .verifyElsewhere, .version, .at,
    asOf: f.asOf.epochMillis * 1000 + f.asOf.microsecond % 1000,
    createdAt: f.createdAt.epochMillis * 1000 + f.createdAt.microsecond % 1000,
    recordedFrom: f.recordedFrom.epochMillis * 1000 + f.recordedFrom.microsecond % 1000}) AS fields
}
