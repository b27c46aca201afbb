// The prototype of a search, on the house's schema: hybrid pool, its best as seeds, up to two capped levels, one ranked list. What `search` is measured against.
// params: tenant, lucene, vector, candidates, dense, topK, limit, depth, decay, scan, fan, level
// returns: id, title, score, own, graph, depth, from, type
// read
CALL () {
  MATCH (n:Knowledge) SEARCH n IN (VECTOR INDEX knowledge_vector_GENERATION FOR $vector WHERE n.tenant = $tenant AND n.status = 'active' AND n.validTo > datetime() LIMIT $candidates) SCORE AS s
  WITH collect({n: n, s: s}) AS hits WITH hits, hits[0].s AS hi, hits[-1].s AS lo
  UNWIND hits AS x RETURN x.n AS node, $dense * (x.s - lo) / (hi - lo + 1e-9) AS part
 UNION ALL
  CALL db.index.fulltext.queryNodes('knowledge_text', $lucene, {limit: $candidates}) YIELD node AS n, score AS s
  WITH n, s WHERE n.tenant = $tenant AND n.status = 'active'
  WITH collect({n: n, s: s}) AS hits WITH hits, hits[0].s AS hi, hits[-1].s AS lo
  UNWIND hits AS x RETURN x.n AS node, (1 - $dense) * (x.s - lo) / (hi - lo + 1e-9) AS part
}
WITH node, sum(part) AS own ORDER BY own DESC, node.uid
WITH collect({n: node, own: own}) AS pool
WITH pool, [x IN pool[..$topK] | {n: x.n, s: x.own}] AS front
WITH pool, front, [x IN front | x.n] AS seen, [] AS found
CALL (front, seen) {
  UNWIND CASE WHEN $depth > 0 THEN front ELSE [] END AS fr WITH fr.n AS f, fr.s AS fs, seen
  CALL (f) {
    MATCH (f)-[r:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH]->(m:Knowledge) WITH r, m LIMIT $scan
    WITH r, m WHERE m.tenant = $tenant AND m.status = 'active'
    RETURN r, m ORDER BY r.weight DESC LIMIT $fan
  }
  WITH f, r, m, fs * r.weight * $decay AS g ORDER BY g DESC
  WITH m, collect({from: f.uid, type: type(r), g: g})[0] AS best ORDER BY best.g DESC LIMIT $level
  RETURN collect({n: m, s: best.g, from: best.from, type: best.type, depth: 1}) AS next
}
WITH pool, found + next AS found, [x IN next WHERE NOT x.n IN seen] AS front, seen + [x IN next | x.n] AS seen
CALL (front, seen) {
  UNWIND CASE WHEN $depth > 1 THEN front ELSE [] END AS fr WITH fr.n AS f, fr.s AS fs, seen
  CALL (f) {
    MATCH (f)-[r:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH]->(m:Knowledge) WITH r, m LIMIT $scan
    WITH r, m WHERE m.tenant = $tenant AND m.status = 'active'
    RETURN r, m ORDER BY r.weight DESC LIMIT $fan
  }
  WITH f, r, m, fs * r.weight * $decay AS g ORDER BY g DESC
  WITH m, collect({from: f.uid, type: type(r), g: g})[0] AS best ORDER BY best.g DESC LIMIT $level
  RETURN collect({n: m, s: best.g, from: best.from, type: best.type, depth: 2}) AS next
}
WITH pool, found + next AS found
UNWIND [i IN range(0, size(pool) - 1) | {n: pool[i].n, own: pool[i].own, s: 0.0, depth: CASE WHEN i < $topK THEN 0 END, from: null, type: null}] + [x IN found | {n: x.n, own: 0.0, s: x.s, depth: x.depth, from: x.from, type: x.type}] AS x
WITH x ORDER BY x.s DESC
WITH x.n AS n, max(x.own) AS own, max(x.s) AS graph, min(x.depth) AS depth, [y IN collect(x) WHERE y.from IS NOT NULL][0] AS via
FILTER depth IS NOT NULL  // candidates that are neither seed nor reached only lend their own score
ORDER BY own + graph DESC, n.uid LIMIT $limit
RETURN n.uid AS id, n.title AS title, own + graph AS score, own, graph, depth, via.from AS from, via.type AS type
