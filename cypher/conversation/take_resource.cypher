// A resource, made where there is none, and locked until this transaction ends. `isResource` is false where the id is in use by
// something else: then nothing of the transaction may be kept.
// params: tenant, uid, now
// returns: isResource, resource
// write
MERGE (r:Item {tenant: $tenant, uid: $uid})
ON CREATE SET r:Resource, r.speakers = [], r.metadata = '{}', r.version = 0, r.createdAt = $now, r.updatedAt = $now
SET r._lock = true
SET r._lock = null
WITH r
RETURN r:Resource AS isResource,
// use: resource
