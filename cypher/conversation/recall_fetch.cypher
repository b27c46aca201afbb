// The stretches of threads that a recall shows, without deleted messages, those that the caller has and those of other agents.
// params: tenant, resource, agent, ranges, excluded
// returns: at, messages, thread
// read
UNWIND range(0, size($ranges) - 1) AS at
WITH at, $ranges[at] AS stretch
MATCH (t:Item&Thread {tenant: $tenant, uid: stretch.thread, resource: $resource})
CALL (t, stretch) {
  MATCH (m:Message)
  WHERE m.tenant = $tenant AND m.thread = stretch.thread AND m.seq >= stretch.first AND m.seq <= stretch.last
  WITH m ORDER BY m.seq
  WHERE m.deletedAt IS NULL AND NOT m.uid IN $excluded AND ($agent IS NULL OR m.agent = $agent)
  WITH
  // use: message
  RETURN collect(message) AS messages
}
WITH *
ORDER BY at
RETURN at, messages,
// use: thread
