// Names that stand in too many texts to say anything are told by how many.
// params: none
// returns: none
// schema
CREATE INDEX name_texts IF NOT EXISTS FOR (n:Name) ON (n.tenant, n.common, n.texts)
