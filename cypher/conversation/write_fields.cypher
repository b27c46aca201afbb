// Makes or changes fields of a profile whose owner is locked; what a field was becomes a revision, which the first state has none of.
// A row: uid, revision (null: the field is new), name, properties (of the new state; what is null goes), source.
// params: tenant, uid, resource, rows, version, change, now
// returns: none
// write
MATCH (p:Item&Profile {tenant: $tenant, uid: $uid})
UNWIND $rows AS row
MERGE (f:Item {tenant: $tenant, uid: row.uid})
ON CREATE SET f:Field, f.name = row.name, f.createdAt = $now, f.version = 0, f.profile = p.uid
MERGE (p)-[:HAS_FIELD]->(f)
WITH f, row
CALL (f, row) {
  WITH f, row WHERE row.revision IS NOT NULL
  CREATE (v:Item:FieldRevision)
  SET v = f {.tenant, .name, .value, .text, .tokens, .source, .sourceGone, .asOf, .verifyElsewhere, .version, .at, .change,
    .createdAt, .updatedAt, .recordedFrom}, v.uid = row.revision, v.recordedTo = $now
  CREATE (f)-[:PREVIOUS]->(v)
}
CALL (f) {
  MATCH (f)-[e:FROM]->(:Message)
  DELETE e
}
SET f += row.properties, f.version = f.version + 1, f.at = $version, f.change = $change, f.updatedAt = $now, f.recordedFrom = $now,
  f.sourceGone = null
WITH f, row
OPTIONAL MATCH (m:Item&Message {tenant: $tenant, uid: row.source})
USING INDEX SEEK m:Item(tenant, uid)
WHERE EXISTS { (:Item&Thread {tenant: $tenant, uid: m.thread, resource: $resource}) }
CALL (f, m) {
  WITH f, m WHERE m IS NOT NULL
  CREATE (f)-[:FROM]->(m)
}
SET f.source = row.source, f.sourceGone = CASE WHEN row.source IS NOT NULL AND (m IS NULL OR m.deletedAt IS NOT NULL)
  THEN true END
