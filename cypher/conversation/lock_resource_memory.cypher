// The working memory of a resource, to be changed: the resource is made where there is none, and locked until this transaction ends.
// `isOwner` is false where the id is in use by something else: then nothing of the transaction may be kept.
// params: tenant, resource, now
// returns: owner, resource, isOwner, profile, fields
// write
MERGE (o:Item {tenant: $tenant, uid: $resource})
ON CREATE SET o:Resource, o.speakers = [], o.metadata = '{}', o.version = 1, o.createdAt = $now, o.updatedAt = $now
SET o._lock = true
SET o._lock = null
WITH o
// use: memory_states
RETURN o.uid AS owner, o.uid AS resource, o:Resource AS isOwner,
// use: profile
