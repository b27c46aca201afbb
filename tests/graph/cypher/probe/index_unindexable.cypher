// An index that can not be filled.
// params: none
// returns: none
// schema
CREATE INDEX unindexable IF NOT EXISTS FOR (n:Unindexable) ON (n.text)
