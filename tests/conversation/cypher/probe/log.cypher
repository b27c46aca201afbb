// All messages of a thread in order, with what stands before each.
// params: tenant, thread
// returns: uid, seq, turn, content, context, before
// read
MATCH (t:Item&Thread {tenant: $tenant, uid: $thread})-[:HAS_TURN]->(u:Turn)-[:HAS_MESSAGE]->(m:Message)
OPTIONAL MATCH (p:Message)-[:NEXT]->(m)
RETURN m.uid AS uid, m.seq AS seq, u.uid AS turn, m.content AS content, m.context AS context, collect(p.seq) AS before
ORDER BY seq
