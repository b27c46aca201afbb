// Edges between a tenant's notes, open and closed, and pending ones.
// params: tenant, open
// returns: from, to, reason, state
// read
CALL () {
  MATCH (n:Knowledge)-[r:RELATED_TO]->(m:Knowledge) WHERE n.tenant = $tenant AND n.createdAt IS NOT NULL
  RETURN n.uid AS from, m.uid AS to, r.reason AS reason, CASE r.recordedTo WHEN $open THEN 'open' ELSE 'closed' END AS state
 UNION ALL
  MATCH (p:PendingLink) WHERE p.tenant = $tenant AND p.missing IS NOT NULL
  RETURN p.from AS from, p.to AS to, p.reason AS reason, 'pending' AS state
}
RETURN from, to, reason, state ORDER BY from, to, state
