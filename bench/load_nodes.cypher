// Makes new nodes as `remember` does, without looking whether they are there. Rows are `graphmem.knowledge.state.properties`;
// validity may be left out.
// params: tenant, rows, open, now
// returns: none
// write
UNWIND $rows AS row
CREATE (n:Item:Knowledge {tenant: $tenant, version: 1, createdAt: $now, updatedAt: $now, recordedFrom: $now, validFrom: $now,
  validTo: $open})
SET n += row
