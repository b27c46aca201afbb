// Takes a tenant's jobs away that are about nothing but the given ids, or have ended and name one of them.
// params: tenant, states, ids
// returns: jobs
// write
MATCH (j:Job)
WHERE j.tenant = $tenant AND j.state IN $states AND j.uid IS NOT NULL
  AND any(id IN $ids WHERE j.payload CONTAINS id OR j.result CONTAINS id)
DETACH DELETE j
RETURN count(*) AS jobs
