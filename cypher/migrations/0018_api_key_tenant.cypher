// The keys of a tenant are listed.
// params: none
// returns: none
// schema
CREATE INDEX api_key_tenant IF NOT EXISTS FOR (n:ApiKey) ON (n.tenant, n.createdAt)
