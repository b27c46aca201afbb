// The states of a node, newest first: as it is, and as it was.
// params: tenant, resources, uid
// returns: state
// read
MATCH (n:Item&Knowledge {tenant: $tenant, uid: $uid})
WHERE n.resource IN $resources
CALL (n) {
  RETURN n AS s
 UNION ALL
  MATCH (n)-[:PREVIOUS]->(s:Revision)
  RETURN s
}
WITH n, s ORDER BY s.version DESC
RETURN s {uid: n.uid, .title, .content, .type, .aliases, .source, .confidence, .status, .resource, .tags, .metadata, .createdAt,
  .updatedAt, .validFrom, .validTo, .version, .recordedFrom, .recordedTo} AS state
