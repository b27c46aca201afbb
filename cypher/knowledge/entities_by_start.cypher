// The entities that begin with the given words and that some text shows to be names.
// params: tenant, starts
// returns: keys
// read
UNWIND $starts AS start
MATCH (e:Entity {tenant: $tenant, start: start})
WHERE size(e.spellings) > 0
RETURN collect(e.key) AS keys
