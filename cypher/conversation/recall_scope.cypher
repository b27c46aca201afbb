// Where a recall looks. No row: the thread named is not there, or is another resource's.
// params: tenant, resource, thread, inThread, facets, newest, oldest, excluded
// returns: scope
// read
CALL () {
  OPTIONAL MATCH (t:Item&Thread {tenant: $tenant, uid: $thread})
  WHERE $resource IS NULL OR t.resource = $resource
  RETURN t
}
WITH t, CASE WHEN $thread IS NULL THEN $resource ELSE t.resource END AS resource
WHERE resource IS NOT NULL
// use: recall_scope
RETURN scope
