// Documents of a tenant with the ids of the notes taken from them.
// params: tenant
// returns: path, mediaType, updatedAt, notes
// read
MATCH (d:Document) WHERE d.tenant = $tenant AND d.path IS NOT NULL
OPTIONAL MATCH (d)<-[:DERIVED_FROM]-(n)
WITH d, n ORDER BY n.uid
RETURN d.path AS path, d.mediaType AS mediaType, d.updatedAt AS updatedAt, collect(n.uid) AS notes ORDER BY path
