// Marks notices as told by a turn, once: those of its thread or its agent, and those of agents that the caller may speak for.
// params: tenant, resource, agent, hears, turn, ids, now
// returns: uid, changed
// write
MATCH (u:Item&Turn {tenant: $tenant, uid: $turn})
UNWIND $ids AS id
MATCH (n:Item&Notice {tenant: $tenant, uid: id})
WHERE n.thread = u.thread OR ($hears AND n.agent = u.agent) OR n.agent = $agent
  OR (n.agent IS NOT NULL AND $agent IS NULL AND $resource IS NULL)
SET n._lock = true
WITH n, n.acknowledgedAt IS NULL AS changed
SET n._lock = null, n.waitsFor = null, n.acknowledgedAt = coalesce(n.acknowledgedAt, $now),
  n.updatedAt = CASE WHEN changed THEN $now ELSE n.updatedAt END
RETURN n.uid AS uid, changed
