CYPHER 25
// Nodes in use and open edges that end before they begin.
// params: none
// returns: tenant, id, problem, detail
// read
CALL () {
  MATCH (n:Knowledge)
  WHERE n.status IN ['draft', 'active'] AND n.validFrom > n.validTo
  RETURN n.tenant AS tenant, n.uid AS id, 'valid from ' + n.validFrom + ' to ' + n.validTo AS detail
 UNION ALL
  MATCH (n:Knowledge)-[r:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH]->(m:Knowledge)
  WHERE r.recordedTo > datetime() AND r.validFrom > r.validTo
  RETURN n.tenant AS tenant, n.uid AS id, type(r) + ' -> ' + m.uid + ' valid from ' + r.validFrom + ' to ' + r.validTo AS detail
 UNION ALL
  MATCH (n:Knowledge)-[r:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH|MENTIONS]->(m:Knowledge|Entity)
  WHERE r.recordedFrom > r.recordedTo
  RETURN n.tenant AS tenant, n.uid AS id, type(r) + ' -> ' + m.uid + ' recorded from ' + r.recordedFrom + ' to ' + r.recordedTo AS detail
}
RETURN tenant, id, 'contradictory validity' AS problem, detail
ORDER BY tenant, id, detail
