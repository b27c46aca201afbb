// Which of the nodes that links wait for are there after all: another call may have made one since. Nobody can make the others
// before this transaction ends, and whoever makes one then finds the links.
// params: tenant, ids
// returns: id, resource
// write
UNWIND $ids AS id
MERGE (n:Item {tenant: $tenant, uid: id})
WITH id, n, n:Knowledge AS there, n.resource AS resource, n.createdAt IS NULL AS placeholder
CALL (n, placeholder) {
  WITH n WHERE placeholder
  DELETE n
}
WITH id, resource WHERE there
RETURN id, resource
