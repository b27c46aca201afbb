// Notes which names came into texts and which left them; of each name how many more there are, in the order of the keys. Tells which
// names stand in too many texts; these stay locked until this transaction ends.
// params: tenant, rows, counts, now
// returns: key, common
// write
CALL () {
  UNWIND $counts AS row
  MATCH (m:Name {tenant: $tenant, key: row.key})
  SET m._lock = true
  SET m._lock = null
  WITH m, row, m.texts AS texts
  SET m.texts = texts + row.more, m.updatedAt = $now
  RETURN collect([m.key, m.common]) AS found
}
CALL () {
  UNWIND $rows AS row
  MATCH (n:Item&Knowledge {tenant: $tenant, uid: row.uid})
  CALL (n, row) {
    MATCH (n)-[r:CONTAINS]->(m:Name) WHERE m.key IN row.gone
    DELETE r
  }
  CALL (n, row) {
    UNWIND row.come AS key
    MATCH (m:Name {tenant: $tenant, key: key})
    CREATE (n)-[:CONTAINS]->(m)
  }
}
UNWIND found AS one
RETURN one[0] AS key, one[1] AS common
