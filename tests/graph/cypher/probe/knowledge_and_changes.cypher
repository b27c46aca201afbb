// Each id of a tenant's knowledge with how many nodes have it, their versions, and how many entries of the change log touched it.
// params: tenant
// returns: uid, nodes, versions, changes
// read
MATCH (n:Knowledge)
WHERE n.tenant = $tenant AND n.createdAt IS NOT NULL AND n.uid IS NOT NULL
WITH n.uid AS uid, count(*) AS nodes, collect(n.version) AS versions
RETURN uid, nodes, versions, COUNT {
  MATCH (c:Change) WHERE c.tenant = $tenant AND c.createdAt IS NOT NULL AND c.uid IS NOT NULL AND uid IN c.touched
} AS changes
ORDER BY uid
