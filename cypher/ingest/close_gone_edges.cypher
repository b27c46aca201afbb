// Closes the edges that a document's links and headings made and no longer make. `kept`: by source, the targets of those it makes.
// params: tenant, uid, kept, reasons, open, now
// returns: closed
// write
MATCH (d:Item&Document {tenant: $tenant, uid: $uid})<-[:DERIVED_FROM]-(n:Knowledge)
MATCH (n)-[r:RELATED_TO]->(m:Knowledge)
WHERE r.recordedTo = $open AND r.reason IN $reasons AND NOT m.uid IN coalesce($kept[n.uid], [])
SET r.recordedTo = $now
RETURN count(r) AS closed
