// The names that begin with one of the given words, and what the nodes that go by them are about.
// params: tenant, words
// returns: key, resources
// read
UNWIND $words AS word
MATCH (m:Name {tenant: $tenant, first: word})
RETURN m.key AS key, COLLECT { MATCH (m)<-[:NAMED]-(n:Knowledge {tenant: $tenant}) RETURN DISTINCT n.resource } AS resources
