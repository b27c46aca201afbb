// Drops the pending links that documents' links made and no longer make. `kept`: by source, the targets of those they make.
// params: tenant, uids, kept, reasons
// returns: none
// write
UNWIND $uids AS uid
MATCH (d:Item&Document {tenant: $tenant, uid: uid})<-[:DERIVED_FROM {origin: 'auto'}]-(n:Knowledge)
WITH collect(n.uid) AS ids
MATCH (p:PendingLink)
WHERE p.tenant = $tenant AND p.missing IS NOT NULL AND p.from IN ids AND p.type = 'RELATED_TO' AND p.reason IN $reasons
  AND NOT p.to IN coalesce($kept[p.from], [])
DETACH DELETE p
