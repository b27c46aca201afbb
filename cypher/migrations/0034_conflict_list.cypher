// Open contradictions are listed by their making.
// params: none
// returns: none
// schema
CREATE INDEX conflict_list IF NOT EXISTS FOR ()-[r:CONFLICTS_WITH]-() ON (r.tenant, r.recordedTo, r.createdAt)
