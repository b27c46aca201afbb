// One state for each kind of vector index.
// params: none
// returns: none
// schema
CREATE CONSTRAINT index_state_kind IF NOT EXISTS FOR (n:IndexState) REQUIRE n.kind IS UNIQUE
