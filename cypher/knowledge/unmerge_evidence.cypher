// Takes back the evidence that a merge brought, and nobody has given since.
// params: tenant, uid, merge
// returns: removed
// write
MATCH (k:Item&Knowledge {tenant: $tenant, uid: $uid})
CALL (k) {
  MATCH (k)-[r:DERIVED_FROM]->()
  WHERE r.openedBy = $merge
  DELETE r
  RETURN count(r) AS removed
}
RETURN removed
