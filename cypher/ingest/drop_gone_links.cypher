// Drops the pending links that a document's links made and no longer make. `kept`: by source, the targets of those it makes.
// params: tenant, uid, kept, reasons
// returns: none
// write
MATCH (d:Item&Document {tenant: $tenant, uid: $uid})<-[:DERIVED_FROM]-(n:Knowledge)
WITH collect(n.uid) AS ids
MATCH (p:PendingLink)
WHERE p.tenant = $tenant AND p.missing IS NOT NULL AND p.from IN ids AND p.type = 'RELATED_TO' AND p.reason IN $reasons
  AND NOT p.to IN coalesce($kept[p.from], [])
DETACH DELETE p
