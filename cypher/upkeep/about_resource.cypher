// The knowledge, documents and pending links about a resource, and how many pieces and earlier states the knowledge has. `keys`: bound
// to it.
// params: tenant, resource
// returns: knowledge, chunks, revisions, documents, links, keys
// read
CALL () {
  MATCH (k:Knowledge)
  WHERE k.tenant = $tenant AND k.createdAt IS NOT NULL AND k.uid IS NOT NULL AND k.resource = $resource
  RETURN collect(k.uid) AS knowledge, sum(COUNT { (k)-[:HAS_CHUNK]->() }) AS chunks,
    sum(COUNT { (k)-[:PREVIOUS]->() }) AS revisions
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
RETURN knowledge, chunks, revisions, documents, links, keys
