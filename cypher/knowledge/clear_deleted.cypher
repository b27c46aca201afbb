// Takes `count` of the edges away that a deleted note had, and it with the last of them.
// params: tenant, uid, count
// returns: more
// write
MATCH (n:Item&Erased {tenant: $tenant, uid: $uid})
CALL (n) {
  MATCH (n)-[r]-()
  WITH r LIMIT $count
  DELETE r
  RETURN count(r) AS gone
}
WITH n, gone = $count AS more
FOREACH (_ IN CASE WHEN more THEN [] ELSE [1] END | DETACH DELETE n)
RETURN more
