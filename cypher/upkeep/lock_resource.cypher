// Whether there is a resource, locked until this transaction ends, and the ids of all that is about it: threads, knowledge, documents,
// pending links, and its working memory, of so many `fields`.
// params: tenant, resource
// returns: exists, threads, knowledge, documents, links, keys, memory, fields
// write
OPTIONAL MATCH (r:Item&Resource {tenant: $tenant, uid: $resource})
SET r._lock = true
SET r._lock = null
WITH r
CALL () {
  MATCH (t:Thread)
  WHERE t.tenant = $tenant AND t.resource = $resource AND t.createdAt IS NOT NULL AND t.uid IS NOT NULL
  RETURN collect(t.uid) AS threads
}
CALL () {
  MATCH (k:Knowledge)
  WHERE k.tenant = $tenant AND k.createdAt IS NOT NULL AND k.uid IS NOT NULL AND k.resource = $resource
  RETURN collect(k.uid) AS knowledge
}
CALL () {
  MATCH (d:Document)
  WHERE d.tenant = $tenant AND d.path IS NOT NULL AND d.resource = $resource
  RETURN collect(d.uid) AS documents
}
CALL () {
  MATCH (l:PendingLink)
  WHERE l.tenant = $tenant AND l.missing IS NOT NULL AND (l.bound = $resource OR $resource IN l.resources)
  RETURN collect(l.uid) AS links
}
CALL () {
  MATCH (a:ApiKey)
  WHERE a.tenant = $tenant AND a.createdAt IS NOT NULL AND a.resource = $resource AND a.revokedAt IS NULL
  RETURN count(a) AS keys
}
CALL (r) {
  OPTIONAL MATCH (r)-[:HAS_PROFILE]->(p:Profile)
  OPTIONAL MATCH (p)-[:HAS_FIELD]->(f:Field)
  OPTIONAL MATCH (f)-[:PREVIOUS]->(v:FieldRevision)
  OPTIONAL MATCH (p)-[:PREVIOUS]->(w:ProfileRevision)
  WITH collect(DISTINCT p.uid) + collect(DISTINCT v.uid) + collect(DISTINCT w.uid) AS rest, collect(DISTINCT f.uid) AS gone
  RETURN rest + gone AS memory, size(gone) AS fields
}
RETURN r IS NOT NULL AS exists, threads, knowledge, documents, links, keys, memory, fields
