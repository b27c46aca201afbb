// A folded title or alias stands once in a tenant.
// params: none
// returns: none
// schema
CREATE CONSTRAINT name_key IF NOT EXISTS FOR (n:Name) REQUIRE (n.tenant, n.key) IS UNIQUE
