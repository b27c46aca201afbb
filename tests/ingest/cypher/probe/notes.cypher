// Status, version and text of a tenant's notes, and how many revisions each has.
// params: tenant
// returns: id, status, version, title, content, resource, revisions
// read
MATCH (n:Knowledge) WHERE n.tenant = $tenant AND n.createdAt IS NOT NULL
RETURN n.uid AS id, n.status AS status, n.version AS version, n.title AS title, n.content AS content, n.resource AS resource,
  COUNT { (n)-[:PREVIOUS]->() } AS revisions ORDER BY id
