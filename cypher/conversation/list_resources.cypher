// A page of a tenant's resources, newest first, from behind a place (null: the beginning).
// params: tenant, name, facets, afterTime, afterId, count
// returns: resource
// read
MATCH (r:Resource)
WHERE r.tenant = $tenant AND r.uid IS NOT NULL
  AND r.createdAt <= coalesce($afterTime, datetime({year: 9999, month: 12, day: 31}))
  AND ($afterTime IS NULL OR r.createdAt < $afterTime OR r.uid < $afterId)
WITH r ORDER BY r.tenant DESC, r.createdAt DESC, r.uid DESC
WHERE ($name IS NULL OR r.name = $name) AND ($facets IS NULL OR all(facet IN $facets WHERE r.facets CONTAINS facet))
LIMIT $count
RETURN
// use: resource
ORDER BY r.tenant DESC, r.createdAt DESC, r.uid DESC
