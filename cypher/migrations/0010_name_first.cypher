// Names that may stand in a text are found by their first word.
// params: none
// returns: none
// schema
CREATE INDEX name_first IF NOT EXISTS FOR (n:Name) ON (n.tenant, n.first)
