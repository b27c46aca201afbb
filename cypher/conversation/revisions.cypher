// What messages said before, the latest first, so many of each.
// params: tenant, resource, ids, count
// returns: id, revision
// read
UNWIND $ids AS id
MATCH (m:Item&Message {tenant: $tenant, uid: id})
MATCH (t:Item&Thread {tenant: $tenant, uid: m.thread})
WHERE $resource IS NULL OR t.resource = $resource
CALL (m) {
  MATCH (m)-[:PREVIOUS]->(v:MessageRevision)
  WITH v ORDER BY v.version DESC LIMIT $count
  RETURN v
}
WITH id, v ORDER BY v.version DESC
RETURN id, v {.version, .parts, .content, .recordedFrom, .recordedTo} AS revision
