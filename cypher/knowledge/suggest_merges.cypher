// A page of pairs in use that say the same, the most alike first, from behind a place (null: the beginning). To a key that is bound to
// a resource, those that it may merge.
// params: tenant, resources, bound, open, afterScore, afterKey, count
// returns: first, second, cosine, lexical
// read
MATCH (a:Knowledge)-[r:SIMILAR_TO]->(b:Knowledge)
USING INDEX r:SIMILAR_TO(tenant, state, cosine)
WHERE r.tenant = $tenant AND r.state = 'open' AND r.cosine <= coalesce($afterScore, 1.0)
  AND a.tenant = $tenant AND b.tenant = $tenant AND a.resource = b.resource AND a.resource IN $resources
  AND ($bound IS NULL OR a.resource = $bound) AND a.status = 'active' AND b.status = 'active'
  AND r.hashes = [a.contentHash, b.contentHash]
  AND NOT EXISTS { (a)-[c:CONFLICTS_WITH]-(b) WHERE c.recordedTo = $open }
WITH a, r, b, a.uid + ' ' + b.uid AS key
WHERE $afterScore IS NULL OR r.cosine < $afterScore OR key > $afterKey
ORDER BY r.tenant DESC, r.state DESC, r.cosine DESC, key LIMIT $count
RETURN a {.uid, .title, .content, .type, .aliases, .source, .confidence, .status, .resource, .tags, .metadata,
    .createdAt, .updatedAt, .validFrom, .validTo, .version} AS first,
  b {.uid, .title, .content, .type, .aliases, .source, .confidence, .status, .resource, .tags, .metadata,
    .createdAt, .updatedAt, .validFrom, .validTo, .version} AS second, r.cosine AS cosine, r.lexical AS lexical
