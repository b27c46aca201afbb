// The working memories of resources and threads: what is set.
// params: tenant, resource, ids
// returns: owner, resource, scope, profile, fields
// read
UNWIND $ids AS id
MATCH (o:Item {tenant: $tenant, uid: id})
WHERE (o:Resource AND ($resource IS NULL OR o.uid = $resource)) OR (o:Thread AND ($resource IS NULL OR o.resource = $resource))
// use: memory_of
RETURN o.uid AS owner, CASE WHEN o:Thread THEN o.resource ELSE o.uid END AS resource,
  CASE WHEN o:Thread THEN 'thread' ELSE 'resource' END AS scope,
// use: profile
