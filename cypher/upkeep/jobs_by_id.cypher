// Jobs of a tenant in some states, in the order of their ids from behind one, with what they are about and came to.
// params: tenant, state, after, count
// returns: uid, payload, result
// read
MATCH (j:Job)
WHERE j.tenant = $tenant AND j.state = $state AND j.uid > $after
WITH j ORDER BY j.tenant, j.state, j.uid LIMIT $count
RETURN j.uid AS uid, j.payload AS payload, j.result AS result
