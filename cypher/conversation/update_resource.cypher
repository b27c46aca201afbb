// Changes a resource that is locked, and makes it the next version.
// params: tenant, uid, properties, now
// returns: version
// write
MATCH (r:Item&Resource {tenant: $tenant, uid: $uid})
SET r += $properties, r.version = r.version + 1, r.updatedAt = $now
RETURN r.version AS version
