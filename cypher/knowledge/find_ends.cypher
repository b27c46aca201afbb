// Locks the ends of edges, whose ids are in order, and tells what they are about (null: no knowledge), which edges are open between
// the given pairs (of each source: its targets), and which links wait for one of the ends. An id that nothing stands under is locked
// as well: nobody can make it before this transaction ends, and whoever then does finds the link that waits for it.
// params: tenant, ids, pairs, open
// returns: ends, edges, waiting
// write
CALL () {
  UNWIND $ids AS id
  MATCH (n:Item {tenant: $tenant, uid: id})
  SET n._lock = true
  SET n._lock = null
  RETURN collect([id, CASE WHEN n:Knowledge THEN n.resource END, n.status]) AS ends
}
CALL () {
  UNWIND $pairs AS pair
  MATCH (a:Item {tenant: $tenant, uid: pair[0]})
  UNWIND pair[1] AS target
  MATCH (b:Item {tenant: $tenant, uid: target})
  CALL (a, b) {
    MATCH (a)-[r:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH]->(b)
    WHERE r.recordedTo = $open
    RETURN r
  }
  RETURN collect({from: pair[0], to: target, type: type(r), element: elementId(r),
    properties: r {.weight, .confidence, .source, .reason, .validFrom, .validTo}}) AS edges
}
CALL () {
  UNWIND $ids AS id
  MATCH (p:PendingLink {tenant: $tenant, missing: id})
  RETURN collect(p.uid) AS waiting
}
RETURN ends, edges, waiting
