// Names that may stand in a text are found by their first two words.
// params: none
// returns: none
// schema
CREATE INDEX name_start IF NOT EXISTS FOR (n:Name) ON (n.tenant, n.start)
