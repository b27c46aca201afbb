// How many jobs of a kind are not at their end, of all tenants.
// params: kind
// returns: count
// read
MATCH (j:Job)
WHERE j.kind = $kind AND j.dueAt IS NOT NULL
RETURN count(*) AS count
