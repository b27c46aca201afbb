// Entities that may stand in a text are found by their first two words.
// params: none
// returns: none
// schema
CREATE INDEX entity_start IF NOT EXISTS FOR (n:Entity) ON (n.tenant, n.start)
