CYPHER 25
// Earlier states that don't lead to the next: each version but the last ends when the next begins.
// params: none
// returns: tenant, id, problem, detail
// read
CALL () {
  MATCH (n:Knowledge|Message|Field)-[:PREVIOUS]->(v:Revision|MessageRevision|FieldRevision)
  OPTIONAL MATCH (n)-[:PREVIOUS]->(w:Revision|MessageRevision|FieldRevision {version: v.version + 1})
  WITH n, v, collect(w) + CASE WHEN n.version = v.version + 1 THEN [n] ELSE [] END AS next
  WITH n, v, CASE
    WHEN size(next) = 0 THEN 'is followed by none'
    WHEN size(next) > 1 THEN 'is followed by several'
    WHEN next[0].recordedFrom <> v.recordedTo THEN 'does not end when the next begins'
    WHEN v.recordedFrom > v.recordedTo THEN 'ends before it begins'
    WHEN next[0].at <= v.at THEN 'comes after the next'
  END AS fault
  WHERE fault IS NOT NULL
  RETURN n.tenant AS tenant, n.uid AS id, 'version ' + v.version + ' ' + fault AS detail
 UNION ALL
  MATCH (p:Profile)-[:PREVIOUS]->(v:ProfileRevision)
  WHERE v.defined >= p.defined OR v.definedAt > v.recordedTo
  RETURN p.tenant AS tenant, p.uid AS id, 'the form of version ' + v.defined + ' ends before it begins' AS detail
 UNION ALL
  MATCH (v:Revision|MessageRevision|FieldRevision|ProfileRevision)
  WHERE NOT EXISTS { (v)<-[:PREVIOUS]-() }
  RETURN v.tenant AS tenant, v.uid AS id, 'no node was this' AS detail
}
RETURN tenant, id, 'revision out of order' AS problem, detail
ORDER BY tenant, id, detail
