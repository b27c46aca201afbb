// The names that begin with the given words, what the nodes that go by them are about, and whether they stand in too many texts.
// params: tenant, starts
// returns: names
// read
UNWIND $starts AS start
MATCH (m:Name {tenant: $tenant, start: start})
RETURN collect({key: m.key, common: m.common,
  resources: COLLECT { MATCH (m)<-[:NAMED]-(n:Knowledge {tenant: $tenant}) RETURN DISTINCT n.resource }}) AS names
