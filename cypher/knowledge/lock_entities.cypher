// Makes the entities, whose keys are in order, where they are missing, locks them until this transaction ends, and tells what they are.
// params: tenant, rows, now
// returns: entities
// write
UNWIND $rows AS row
MERGE (e:Entity {tenant: $tenant, key: row.key})
ON CREATE SET
  e:Item, e.uid = randomUUID(), e.start = row.start, e.nodes = 0, e.spellings = [], e.counts = [],
  e.createdAt = $now, e.updatedAt = $now
SET e._lock = true
SET e._lock = null
WITH e
RETURN collect(e {.uid, .key, .nodes, .spellings, .counts}) AS entities
