CYPHER 25
// Earlier states that don't lead to the next: each version but the last ends when the next begins.
// params: none
// returns: tenant, id, problem, detail
// read
CALL () {
  MATCH (n:Knowledge)-[:PREVIOUS]->(v:Revision)
  OPTIONAL MATCH (n)-[:PREVIOUS]->(w:Revision {version: v.version + 1})
  WITH n, v, collect(w) + CASE WHEN n.version = v.version + 1 THEN [n] ELSE [] END AS next
  WITH n, v, CASE
    WHEN size(next) = 0 THEN 'is followed by none'
    WHEN size(next) > 1 THEN 'is followed by several'
    WHEN next[0].recordedFrom <> v.recordedTo THEN 'does not end when the next begins'
    WHEN v.recordedFrom > v.recordedTo THEN 'ends before it begins'
  END AS fault
  WHERE fault IS NOT NULL
  RETURN n.tenant AS tenant, n.uid AS id, 'version ' + v.version + ' ' + fault AS detail
 UNION ALL
  MATCH (v:Revision)
  WHERE NOT EXISTS { (v)<-[:PREVIOUS]-() }
  RETURN v.tenant AS tenant, v.uid AS id, 'no node was this' AS detail
}
RETURN tenant, id, 'revision out of order' AS problem, detail
ORDER BY tenant, id, detail
