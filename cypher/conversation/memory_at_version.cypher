// What the fields of a profile, and its definition, were at a version of it.
// params: tenant, uid, version
// returns: fields, definition
// read
MATCH (p:Item&Profile {tenant: $tenant, uid: $uid})
CALL (p) {
  MATCH (p)-[:HAS_FIELD]->(f:Field)
  CALL (f) {
    RETURN f AS s
   UNION ALL
    MATCH (f)-[:PREVIOUS]->(s:FieldRevision)
    RETURN s
  }
  WITH f, s ORDER BY s.version DESC
  WHERE s.at <= $version
  WITH f, head(collect(s)) AS s
  RETURN collect(s {uid: f.uid, .name, .value, .text, .tokens, .source, .sourceGone, .asOf, .verifyElsewhere, .version, .at,
    createdAt: f.createdAt, .recordedFrom}) AS fields
}
CALL (p) {
  CALL (p) {
    RETURN p AS d
   UNION ALL
    MATCH (p)-[:PREVIOUS]->(d:ProfileRevision)
    RETURN d
  }
  WITH d ORDER BY d.defined DESC
  WHERE d.defined <= $version
  RETURN head(collect(d {.kind, .definition, .defined})) AS definition
}
RETURN fields, definition
