// The states of a node that were recorded by $asOf, newest first, as they were known then, with the entry of the change log for each.
// params: tenant, resources, bound, statuses, uid, asOf, begunBy, endsAfter, lapsed
// returns: state, change
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
OPTIONAL MATCH (c:Item&Change {tenant: $tenant, uid: s.change})
WITH n, s, c, c.resource = $bound OR $bound IS NULL AS told
RETURN s {uid: n.uid, .title, .content, .type, .aliases, .source, .confidence, .status, .resource, .tags, .metadata, .createdAt,
  .updatedAt, .validFrom, .validTo, .version, .recordedFrom, recordedTo: CASE WHEN s.recordedTo <= $asOf THEN s.recordedTo END, .reason} AS state,
  c {.uid, .createdAt, .action, keyName: CASE WHEN told THEN c.keyName END, agent: CASE WHEN told THEN c.agent END} AS change
ORDER BY s.version DESC
