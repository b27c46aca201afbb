// The states of a node, newest first: as it is, and as it was, each with the entry of the change log that brought it about. To a bound
// key (null: any) nobody else is named.
// params: tenant, resources, bound, uid
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
OPTIONAL MATCH (c:Item&Change {tenant: $tenant, uid: s.change})
WITH n, s, c, c.resource = $bound OR $bound IS NULL AS told
RETURN s {uid: n.uid, .title, .content, .type, .aliases, .source, .confidence, .status, .resource, .tags, .metadata, .createdAt,
  .updatedAt, .validFrom, .validTo, .version, .recordedFrom, .recordedTo, .reason} AS state,
  c {.uid, .createdAt, .action, keyName: CASE WHEN told THEN c.keyName END, agent: CASE WHEN told THEN c.agent END} AS change
ORDER BY s.version DESC
