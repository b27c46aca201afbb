CYPHER 25
// Turns that are still open though their time is over, and staged messages of turns that have ended.
// params: none
// returns: tenant, id, problem, detail
// read
CALL () {
  MATCH (u:Turn)
  WHERE u.state = 'open' AND (u.expiresAt IS NULL OR u.expiresAt < datetime())
  RETURN u.tenant AS tenant, u.uid AS id, coalesce('open though its time was over at ' + u.expiresAt, 'open without an end') AS detail
 UNION ALL
  MATCH (m:StagedMessage)
  WHERE NOT EXISTS { (m)<-[:HAS_MESSAGE]-(:Turn {state: 'open'}) }
  RETURN m.tenant AS tenant, m.uid AS id, 'staged, and no open turn has it' AS detail
}
RETURN tenant, id, 'overdue turn' AS problem, detail
ORDER BY tenant, id
