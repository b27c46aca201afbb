// Gives a profile, whose owner is locked, another template or schema, or none; what it had becomes a revision.
// params: tenant, uid, revision, kind, definition, version, now
// returns: none
// write
MATCH (p:Item&Profile {tenant: $tenant, uid: $uid})
CALL (p) {
  WITH p WHERE p.defined > 0
  CREATE (v:Item:ProfileRevision)
  SET v = p {.tenant, .kind, .definition, .defined, .definedAt, .createdAt, .updatedAt}, v.uid = $revision, v.recordedTo = $now
  CREATE (p)-[:PREVIOUS]->(v)
}
SET p.kind = $kind, p.definition = $definition, p.defined = $version, p.definedAt = $now
