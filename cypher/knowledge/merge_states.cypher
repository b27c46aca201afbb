// What the nodes of a merge were just before and just after it.
// params: tenant, merge
// returns: id, kept, before, after
// read
MATCH (m:Item&Merge {tenant: $tenant, uid: $merge})-[e:MERGED]->(n:Knowledge)
CALL (n, e) {
  CALL (n) {
    RETURN n AS s
   UNION ALL
    MATCH (n)-[:PREVIOUS]->(s:Revision)
    RETURN s
  }
  WITH e, s WHERE s.version IN [e.before, e.after]
  RETURN collect(s {.version, .status, .validTo, .aliases, .tags}) AS states
}
RETURN n.uid AS id, e.kept AS kept, head([s IN states WHERE s.version = e.before]) AS before,
  head([s IN states WHERE s.version = e.after]) AS after
