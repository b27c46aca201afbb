// What fields of a profile became at a version of it, and what each was before.
// params: tenant, uid, version
// returns: name, before, after, version
// read
MATCH (p:Item&Profile {tenant: $tenant, uid: $uid})-[:HAS_FIELD]->(f:Field)
CALL (f) {
  RETURN f AS s
 UNION ALL
  MATCH (f)-[:PREVIOUS]->(s:FieldRevision)
  RETURN s
}
WITH f, s
WHERE s.at = $version
OPTIONAL MATCH (f)-[:PREVIOUS]->(b:FieldRevision {version: s.version - 1})
RETURN f.name AS name, b.value AS before, s.value AS after, s.version AS version
ORDER BY name
