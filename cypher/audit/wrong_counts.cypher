CYPHER 25
// Entities and names that don't count the nodes with them in their text rightly, and entities that nothing leads to.
// params: none
// returns: tenant, id, problem, detail
// read
CALL () {
  MATCH (e:Entity)
  OPTIONAL MATCH (e)<-[r:MENTIONS]-(:Knowledge)
  WITH e, count(r) AS every, count(CASE WHEN r.recordedTo > datetime() THEN 1 END) AS nodes,
    count(CASE WHEN r.recordedTo > datetime() THEN r.spelling END) AS shown
  WITH e, CASE
    WHEN every = 0 THEN 'the entity ' + e.key + ' has no edges'
    WHEN e.nodes <> nodes THEN 'the entity ' + e.key + ' says ' + e.nodes + ' nodes; there are ' + nodes
    WHEN size(e.spellings) < 100 AND reduce(sum = 0, n IN e.counts | sum + n) <> shown
      THEN 'the entity ' + e.key + ' counts other spellings than there are'
  END AS detail
  WHERE detail IS NOT NULL
  RETURN e.tenant AS tenant, e.uid AS id, detail
 UNION ALL
  MATCH (m:Name)
  WITH m, COUNT { (m)<-[:CONTAINS]-() } AS texts
  WHERE m.texts <> texts
  RETURN m.tenant AS tenant, m.uid AS id, 'the name ' + m.key + ' says ' + m.texts + ' texts; there are ' + texts AS detail
}
RETURN tenant, id, 'wrong count' AS problem, detail
ORDER BY tenant, id
