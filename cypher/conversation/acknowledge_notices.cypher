// Marks notices as told, once. Those of the agent that is named are of no resource.
// params: tenant, resource, agent, ids, now
// returns: uid, changed
// write
UNWIND $ids AS id
MATCH (n:Item&Notice {tenant: $tenant, uid: id})
WHERE ($resource IS NULL OR n.resource = $resource OR n.agent = $agent) AND ($agent IS NULL OR n.agent IS NULL OR n.agent = $agent)
SET n._lock = true
WITH n, n.acknowledgedAt IS NULL AS changed
SET n._lock = null, n.waitsFor = null, n.acknowledgedAt = coalesce(n.acknowledgedAt, $now),
  n.updatedAt = CASE WHEN changed THEN $now ELSE n.updatedAt END
RETURN n.uid AS uid, changed
