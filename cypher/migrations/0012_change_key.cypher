// An idempotency key is used once in a tenant.
// params: none
// returns: none
// schema
CREATE CONSTRAINT change_key IF NOT EXISTS FOR (n:Change) REQUIRE (n.tenant, n.idempotencyKey) IS UNIQUE
