// A folded name found in texts stands once in a tenant.
// params: none
// returns: none
// schema
CREATE CONSTRAINT entity_key IF NOT EXISTS FOR (n:Entity) REQUIRE (n.tenant, n.key) IS UNIQUE
