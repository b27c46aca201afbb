// What stands under the given ids, which are in order, and which active nodes have the given texts. What is there is locked first,
// and so are the ids that nothing stands under, so that all stays as it is told until this transaction ends.
// params: tenant, ids, hashes
// returns: nodes, same
// write
CALL () {
  UNWIND $ids AS id
  MATCH (n:Item {tenant: $tenant, uid: id})
  SET n._lock = true
  SET n._lock = null
  RETURN collect(n {.uid, .title, .content, .type, .aliases, .source, .confidence, .status, .resource, .tags, .metadata,
    .createdAt, .validFrom, .validTo, .version, .contentHash, isKnowledge: n:Knowledge}) AS nodes
}
CALL () {
  UNWIND $hashes AS hash
  MATCH (n:Knowledge {tenant: $tenant, contentHash: hash})
  WHERE n.status IN ['draft', 'active']
  WITH hash, n.uid AS uid ORDER BY uid
  WITH hash, collect(uid) AS uids
  RETURN collect({hash: hash, uids: uids[..10]}) AS same
}
RETURN nodes, same
