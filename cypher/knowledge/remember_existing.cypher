// What stands under the given ids, and which active nodes have the given texts.
// params: tenant, ids, hashes
// returns: nodes, same
// read
CALL () {
  UNWIND $ids AS id
  MATCH (n:Item {tenant: $tenant, uid: id})
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
