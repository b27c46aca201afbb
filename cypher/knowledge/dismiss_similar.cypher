// Dismisses a pair that seemed to say the same. `was`: what it was until now.
// params: tenant, resources, bound, from, to
// returns: was, forbidden
// write
MATCH (a:Item&Knowledge {tenant: $tenant, uid: $from})
MATCH (b:Item&Knowledge {tenant: $tenant, uid: $to})
MATCH (a)-[r:SIMILAR_TO]->(b)
WHERE a.resource IN $resources AND b.resource IN $resources
WITH r, r.state AS was, coalesce(a.resource <> $bound, false) AS forbidden
SET r.state = CASE WHEN forbidden THEN was ELSE 'dismissed' END
RETURN was, forbidden
