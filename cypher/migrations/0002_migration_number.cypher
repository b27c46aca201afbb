// Each migration is noted once.
// params: none
// returns: none
// schema
CREATE CONSTRAINT migration_number IF NOT EXISTS FOR (n:Migration) REQUIRE n.number IS UNIQUE
