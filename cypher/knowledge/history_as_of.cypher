// The states of a node that were recorded by $asOf, newest first, as they were known then.
// params: tenant, resources, statuses, uid, asOf, begunBy, endsAfter, lapsed
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
WHERE s.recordedFrom <= $asOf AND
// use: as_of_shown
RETURN s {uid: n.uid, .title, .content, .type, .aliases, .source, .confidence, .status, .resource, .tags, .metadata, .createdAt,
  .updatedAt, .validFrom, .validTo, .version, .recordedFrom, recordedTo: CASE WHEN s.recordedTo <= $asOf THEN s.recordedTo END} AS state
