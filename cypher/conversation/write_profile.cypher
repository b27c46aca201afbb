// Makes the profile of an owner that is locked, where it has none, and gives it its next version.
// params: tenant, owner, uid, scope, version, now
// returns: uid
// write
MATCH (o:Item {tenant: $tenant, uid: $owner})
MERGE (p:Item {tenant: $tenant, uid: $uid})
ON CREATE SET p:Profile, p.scope = $scope, p.owner = o.uid, p.defined = 0, p.definedAt = $now, p.createdAt = $now
SET p.version = $version, p.updatedAt = $now
MERGE (o)-[:HAS_PROFILE]->(p)
RETURN p.uid AS uid
