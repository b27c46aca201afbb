// The documents that were last taken from a folder and were not found gone, from behind a path on.
// params: tenant, root, resource, path, gone, limit
// returns: uid, path, title, mediaType, contentHash, keys
// read
MATCH (d:Document)
USING INDEX d:Document(tenant, root, path)
WHERE d.tenant = $tenant AND d.root = $root AND d.path > $path
  AND d.resource = $resource AND coalesce(d.storedHash <> $gone, true)
RETURN d.uid AS uid, d.path AS path, d.title AS title, d.mediaType AS mediaType, d.contentHash AS contentHash,
  d.keys AS keys
ORDER BY d.tenant, d.root, d.path LIMIT $limit
