// Until when a node was valid when it was last in use.
// params: tenant, uid
// returns: validTo
// read
MATCH (n:Item&Knowledge {tenant: $tenant, uid: $uid})-[:PREVIOUS]->(v:Revision)
WHERE v.status IN ['draft', 'active']
RETURN v.validTo AS validTo ORDER BY v.version DESC LIMIT 1
