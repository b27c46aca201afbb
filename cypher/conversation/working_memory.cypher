// The working memory of a thread and that of its resource, or, where no thread is named, of a resource: what is set. No row: there is
// no such thread, or nothing is kept of the resource.
// params: tenant, resource, thread
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
// use: memory_of
RETURN o.uid AS owner, resource, scope,
// use: profile
