// Gives new nodes their names. Rows are in the order of their keys.
// params: tenant, rows, now
// returns: none
// write
UNWIND $rows AS row
MATCH (n:Item {tenant: $tenant, uid: row.uid})
MERGE (m:Name {tenant: $tenant, key: row.key})
ON CREATE SET m:Item, m.uid = randomUUID(), m.start = row.start, m.texts = 0, m.common = false,
  m.createdAt = $now, m.updatedAt = $now
CREATE (n)-[:NAMED]->(m)
