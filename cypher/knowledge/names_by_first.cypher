// The names that begin with one of the given words.
// params: tenant, words
// returns: key
// read
UNWIND $words AS word
MATCH (m:Name {tenant: $tenant, first: word})
RETURN m.key AS key
