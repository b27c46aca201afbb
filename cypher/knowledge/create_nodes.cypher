// Makes new nodes, whose ids are in order, and were found free and locked by this transaction. A row has the properties that are not
// the same for all.
// params: tenant, token, rows, change, reason, open, now
// returns: none
// write
UNWIND $rows AS row
CREATE (n:Item:Knowledge {tenant: $tenant, tenantToken: $token, version: 1, createdAt: $now, updatedAt: $now, recordedFrom: $now,
  validFrom: $now, validTo: $open, change: $change, reason: $reason})
SET n += row
