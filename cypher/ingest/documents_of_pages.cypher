// Documents by their page's name or their id. `keys`: what of their notes' keys stands behind the path; null where an earlier version
// stored the document: `notes` are then the ids of those in use.
// params: tenant, resource, pages, uids
// returns: path, root, keys, notes
// read
CALL () {
  MATCH (d:Document)
  USING INDEX d:Document(tenant, page)
  WHERE d.tenant = $tenant AND d.page IN $pages AND d.resource = $resource
  RETURN d
 UNION
  UNWIND $uids AS uid
  MATCH (d:Item&Document {tenant: $tenant, uid: uid})
  RETURN d
}
RETURN d.path AS path, d.root AS root, d.keys AS keys, COLLECT {
  MATCH (d)<-[:DERIVED_FROM {origin: 'auto'}]-(n:Knowledge)
  WHERE d.keys IS NULL AND n.status IN ['draft', 'active']
  RETURN n.uid
} AS notes
