// Changes a thread that is locked, and makes it the next version.
// params: tenant, uid, properties, now
// returns: version
// write
MATCH (t:Item&Thread {tenant: $tenant, uid: $uid})
SET t += $properties, t.version = t.version + 1, t.updatedAt = $now
RETURN t.version AS version
