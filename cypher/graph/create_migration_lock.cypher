// Lets the lock of the migrations exist only once, before there is anything else.
// params: none
// returns: none
// schema
CREATE CONSTRAINT migration_lock IF NOT EXISTS FOR (n:MigrationLock) REQUIRE n.name IS UNIQUE
