// Edges that wait, of which one end is among the given nodes, or which a merge moved there (null: any).
// params: tenant, ids, merge
// returns: id, from, to, type, movedFrom
// read
UNWIND $ids AS id
CALL (id) {
  MATCH (p:PendingLink {tenant: $tenant, from: id})
  RETURN p
 UNION
  MATCH (p:PendingLink {tenant: $tenant, to: id})
  RETURN p
}
WITH DISTINCT p
WHERE $merge IS NULL OR p.movedBy = $merge
RETURN p.uid AS id, p.from AS from, p.to AS to, p.type AS type, p.movedFrom AS movedFrom
