// As `working_memory`, as it was at a time. `profile` and `fields` are null and empty where there was none yet.
// params: tenant, resource, thread, asOf
// returns: owner, resource, scope, profile, fields
// read
CALL () {
  MATCH (o:Item&Thread {tenant: $tenant, uid: $thread})
  WHERE $resource IS NULL OR o.resource = $resource
  RETURN o, o.resource AS resource, 'thread' AS scope
 UNION ALL
  MATCH (t:Item&Thread {tenant: $tenant, uid: $thread})
  WHERE $resource IS NULL OR t.resource = $resource
  MATCH (o:Item&Resource {tenant: $tenant, uid: t.resource})
  RETURN o, o.uid AS resource, 'resource' AS scope
 UNION ALL
  MATCH (o:Item&Resource {tenant: $tenant, uid: $resource})
  WHERE $thread IS NULL
  RETURN o, o.uid AS resource, 'resource' AS scope
}
OPTIONAL MATCH (o)-[:HAS_PROFILE]->(p:Profile)
WHERE p.createdAt <= $asOf
CALL (p) {
  MATCH (p)-[:HAS_FIELD]->(f:Field)
  CALL (f) {
    RETURN f AS s
   UNION ALL
    MATCH (f)-[:PREVIOUS]->(s:FieldRevision)
    WHERE s.recordedTo > $asOf
    RETURN s
  }
  WITH f, s ORDER BY s.version DESC
  WHERE s.recordedFrom <= $asOf
  WITH f, head(collect(s)) AS s, max(s.at) AS at
  WITH f, s, at ORDER BY f.createdAt, f.name
  WITH max(at) AS at, collect(CASE WHEN s.value IS NOT NULL THEN s {uid: f.uid, .name, .value, .text, .tokens, .source, .sourceGone,
    .verifyElsewhere, .version, .at, asOf: s.asOf.epochMillis * 1000 + s.asOf.microsecond % 1000,
    createdAt: f.createdAt.epochMillis * 1000 + f.createdAt.microsecond % 1000,
    recordedFrom: s.recordedFrom.epochMillis * 1000 + s.recordedFrom.microsecond % 1000} END) AS fields
  RETURN fields, coalesce(at, 0) AS at
}
CALL (p) {
  CALL (p) {
    WITH p WHERE p.definedAt <= $asOf
    RETURN p AS d
   UNION ALL
    MATCH (p)-[:PREVIOUS]->(d:ProfileRevision)
    WHERE d.definedAt <= $asOf AND d.recordedTo > $asOf
    RETURN d
  }
  RETURN head(collect(d {.kind, .definition, .defined})) AS d
}
RETURN o.uid AS owner, resource, scope, p {.uid, .scope, kind: d.kind, definition: d.definition, defined: coalesce(d.defined, 0),
  updatedAt: $asOf.epochMillis * 1000 + $asOf.microsecond % 1000,
  version: CASE WHEN coalesce(d.defined, 0) > at THEN d.defined ELSE at END} AS profile, fields
