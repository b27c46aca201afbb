// Anything of a tenant is looked up by its id.
// params: none
// returns: none
// schema
CREATE CONSTRAINT item_uid IF NOT EXISTS FOR (n:Item) REQUIRE (n.tenant, n.uid) IS UNIQUE
