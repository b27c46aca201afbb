// The nodes that mention one of some nodes now, but these themselves.
// params: tenant, ids, open
// returns: ids
// read
UNWIND $ids AS id
MATCH (n:Item&Knowledge {tenant: $tenant, uid: id})<-[r:MENTIONS]-(s:Knowledge)
WHERE r.recordedTo = $open AND s.tenant = $tenant AND NOT s.uid IN $ids
RETURN collect(DISTINCT s.uid) AS ids
