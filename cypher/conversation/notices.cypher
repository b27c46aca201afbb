// Notices for a thread or an agent that are not acknowledged and not over, oldest first; what is null is not asked for.
// params: tenant, thread, agent, resource, count
// returns: notice
// read
CALL () {
  MATCH (t:Item&Thread {tenant: $tenant, uid: $thread})
  WHERE $resource IS NULL OR t.resource = $resource
  MATCH (n:Notice {tenant: $tenant, waitsFor: t.uid})
  WHERE n.thread = t.uid
  RETURN n
 UNION
  MATCH (n:Notice {tenant: $tenant, waitsFor: $agent})
  WHERE n.agent = $agent
  RETURN n
}
WITH n
WHERE n.acknowledgedAt IS NULL AND (n.expiresAt IS NULL OR n.expiresAt > datetime.realtime())
WITH n ORDER BY n.createdAt, n.uid LIMIT $count
RETURN
// use: notice
