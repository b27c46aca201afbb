// One statement, written by hand, for the bundle of a context: the thread's newest messages, its notices, both working memories, what was said
// elsewhere with what stands beside it, and the notes that the message is about with what they are linked to. What `context` is measured against.
// params: tenant, thread, resource, count, notices, said, asked, vector, candidates, recalled, before, after, topK, limit, decay, scan, fan
// returns: thread, messages, notices, memories, ranges, notes
// read
MATCH (t:Item&Thread {tenant: $tenant, uid: $thread, resource: $resource})
CALL (t) {
  MATCH (m:Message) WHERE m.tenant = $tenant AND m.thread = t.uid AND m.seq > 0 AND m.deletedAt IS NULL
  WITH m ORDER BY m.tenant DESC, m.thread DESC, m.seq DESC LIMIT $count
  WITH m ORDER BY m.seq
  RETURN collect(m {.uid, .seq, .role, .speaker, .parts, .content, at: m.createdAt.epochMillis}) AS messages, collect(m.uid) AS shown
}
CALL (t) {
  MATCH (n:Notice)-[:FOR]->(t) WHERE n.acknowledgedAt IS NULL
  WITH n ORDER BY n.createdAt LIMIT $notices
  RETURN collect(n {.uid, .text, at: n.createdAt.epochMillis}) AS notices
}
CALL (t) {
  MATCH (o:Item {tenant: $tenant}) WHERE o.uid IN [t.uid, t.resource]
  MATCH (o)-[:HAS_PROFILE]->(p:Profile)-[:HAS_FIELD]->(f:Field)
  WITH p, f ORDER BY f.createdAt
  WITH p, collect(f {.name, .value, asOf: f.asOf.epochMillis}) AS fields
  RETURN collect({scope: p.scope, fields: fields}) AS memories
}
CALL (shown) {
  CALL () {
    CALL db.index.fulltext.queryNodes('message_text', $said, {limit: $candidates}) YIELD node AS m, score
    WHERE m.tenant = $tenant AND m.resource = $resource
    RETURN m, score AS lexical, null AS near
   UNION ALL
    MATCH (m:Message)
    SEARCH m IN (
      VECTOR INDEX message_vector_GENERATION FOR $vector
      WHERE m.tenant = $tenant AND m.resource = $resource
      LIMIT $candidates
    ) SCORE AS score
    RETURN m, null AS lexical, score AS near
  }
  WITH m, max(lexical) AS lexical, max(near) AS near
  WITH m, coalesce(near, vector.similarity.cosine(m.embedding_GENERATION, $vector)) AS near, coalesce(lexical, 0.0) AS lexical
  WITH collect({m: m, near: near, lexical: lexical}) AS found, min(near) AS low, max(near) AS high, max(lexical) AS most
  UNWIND found AS one
  WITH one.m AS m, 0.5 * (one.near - low) / (high - low + 1e-9) + 0.5 * one.lexical / (most + 1e-9) AS own
  UNWIND range(m.seq - 2, m.seq + 2) AS seq
  WITH m.thread AS thread, seq, max(own * [1.0, 0.3, 0.2][abs(seq - m.seq)]) AS score
  MATCH (n:Message {tenant: $tenant, thread: thread, seq: seq})
  WHERE n.deletedAt IS NULL AND NOT n.uid IN shown
  WITH n, score * (1 + 0.1 * log(n.words / 15.0 + 0.1)) * CASE WHEN n.isQuestion THEN 0.9 ELSE 1.0 END AS score
  ORDER BY score DESC LIMIT $recalled
  CALL (n) {
    MATCH (m:Message) WHERE m.tenant = $tenant AND m.thread = n.thread AND m.seq >= n.seq - $before AND m.seq <= n.seq + $after
    WITH m ORDER BY m.seq
    RETURN collect(m {.uid, .seq, .thread, .role, .speaker, .parts, .content, at: m.createdAt.epochMillis}) AS around
  }
  RETURN collect({hit: n.uid, score: score, messages: around}) AS ranges
}
CALL () {
  CALL () {
    MATCH (n:Knowledge)
    SEARCH n IN (
      VECTOR INDEX knowledge_vector_GENERATION FOR $vector
      WHERE n.tenant = $tenant AND n.status = 'active' AND n.validTo > datetime()
      LIMIT $candidates
    ) SCORE AS score
    WITH collect({n: n, s: score}) AS hits
    UNWIND hits AS x
    RETURN x.n AS n, 0.5 * (x.s - hits[-1].s) / (hits[0].s - hits[-1].s + 1e-9) AS part
   UNION ALL
    CALL db.index.fulltext.queryNodes('knowledge_text', $asked, {limit: $candidates}) YIELD node AS n, score
    WHERE n.tenant = $tenant AND n.status = 'active'
    WITH collect({n: n, s: score}) AS hits
    UNWIND hits AS x
    RETURN x.n AS n, 0.5 * (x.s - hits[-1].s) / (hits[0].s - hits[-1].s + 1e-9) AS part
  }
  WITH n, sum(part) AS own ORDER BY own DESC LIMIT $topK
  WITH collect({n: n, score: own}) AS seeds
  CALL (seeds) {
    UNWIND seeds AS seed
    RETURN seed.n AS n, seed.score AS score
   UNION ALL
    UNWIND seeds AS seed
    WITH seed.n AS f, seed.score AS own
    CALL (f) {
      MATCH (f)-[r:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH]->(n:Knowledge)
      WITH r, n LIMIT $scan
      WITH r, n WHERE n.tenant = $tenant AND n.status = 'active'
      RETURN r, n ORDER BY r.weight DESC LIMIT $fan
    }
    RETURN n, own * r.weight * $decay AS score
  }
  WITH n, max(score) AS score ORDER BY score DESC LIMIT $limit
  RETURN collect({score: score, note: n {.uid, .title, .content}}) AS notes
}
RETURN t {.uid, .title, .lastSeq} AS thread, messages, notices, memories, ranges, notes
