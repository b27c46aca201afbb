// Documents with links to pages of these names: other ones than `uids`, and not those of the folder `root`. `links` as they keep them,
// `notes`: the ids of theirs. They are locked until this transaction ends: what they lead to may be on its way to another end.
// params: tenant, resource, root, pages, uids
// returns: uid, path, root, links, notes
// write
MATCH (d:Document)
WHERE d.tenant = $tenant AND d.path IS NOT NULL AND d.resource = $resource AND coalesce(d.root <> $root, true)
  AND any(page IN d.linked WHERE page IN $pages) AND NOT d.uid IN $uids
WITH d ORDER BY d.uid
SET d._lock = true
SET d._lock = null
WITH d
WHERE coalesce(d.root <> $root, true) AND any(page IN d.linked WHERE page IN $pages)
RETURN d.uid AS uid, d.path AS path, d.root AS root, d.links AS links,
  COLLECT { MATCH (d)<-[:DERIVED_FROM {origin: 'auto'}]-(n:Knowledge) RETURN n.uid } AS notes
ORDER BY uid
