// Closes the edges that documents' links and headings made and no longer make. `kept`: by source, the targets of those they make.
// params: tenant, uids, kept, reasons, open, now
// returns: document, closed
// write
UNWIND $uids AS uid
MATCH (d:Item&Document {tenant: $tenant, uid: uid})<-[:DERIVED_FROM {origin: 'auto'}]-(n:Knowledge)
MATCH (n)-[r:RELATED_TO]->(m:Knowledge)
WHERE r.recordedTo = $open AND r.reason IN $reasons AND NOT m.uid IN coalesce($kept[n.uid], [])
SET r.recordedTo =
// use: end
RETURN uid AS document, count(r) AS closed
