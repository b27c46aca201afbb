// Whether anything of a tenant is kept.
// params: tenant
// returns: holds
// read
RETURN EXISTS { MATCH (n:Item) WHERE n.tenant = $tenant AND n.uid IS NOT NULL } AS holds
