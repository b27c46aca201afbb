// Closes open edges, and then opens others with just the properties given, where there is none between the same two. The former say
// which merge closed them (null: none did).
// params: tenant, merge, closing, opening, open, now
// returns: closed, opened
// write
CALL () {
  UNWIND $closing AS row
  MATCH (a:Item&Knowledge {tenant: $tenant, uid: row.from})
  MATCH (b:Item&Knowledge {tenant: $tenant, uid: row.to})
  MATCH (a)-[r:$(row.type) {recordedTo: $open}]->(b)
  SET r.closedBy = $merge, r.recordedTo =
// use: end
  RETURN count(r) AS closed
}
CALL () {
  UNWIND $opening AS row
  MATCH (a:Item&Knowledge {tenant: $tenant, uid: row.from})
  MATCH (b:Item&Knowledge {tenant: $tenant, uid: row.to})
  OPTIONAL MATCH (a)-[there:$(row.type) {recordedTo: $open}]->(b)
  WITH a, b, row, there WHERE there IS NULL
  CREATE (a)-[r:$(row.type)]->(b)
  SET r = row.properties
  SET r.createdAt = coalesce(r.createdAt, $now), r.recordedFrom = $now, r.recordedTo = $open, r.origin = 'explicit'
  RETURN count(r) AS opened
}
RETURN closed, opened
