CYPHER 25
// Automatic edges that no text supports: out of nodes not in use, to nodes none of whose names are noted of the text, to entities whose
// words it lacks, and to entities that no text shows to be names.
// params: none
// returns: tenant, id, problem, detail
// read
CALL () {
  MATCH (n:Knowledge)-[r:MENTIONS]->(t:Knowledge)
  WHERE r.recordedTo > datetime()
    AND (NOT n.status IN ['draft', 'active'] OR NOT EXISTS {
      MATCH (n)-[:CONTAINS]->(m:Name)<-[:NAMED]-(t)
      WHERE all(word IN split(m.key, ' ') WHERE n.searchTitle + ' ' + n.searchContent CONTAINS word)
    })
  RETURN n.tenant AS tenant, n.uid AS id, 'the node ' + t.uid AS what
 UNION ALL
  MATCH (n:Knowledge)-[r:MENTIONS]->(e:Entity)
  WHERE r.recordedTo > datetime()
    AND (NOT n.status IN ['draft', 'active'] OR size(e.spellings) = 0
      OR NOT all(word IN split(e.key, ' ') WHERE n.searchTitle + ' ' + n.searchContent CONTAINS word))
  RETURN n.tenant AS tenant, n.uid AS id, 'the entity ' + e.key AS what
 UNION ALL
  MATCH (n:Knowledge)-[:CONTAINS]->(m:Name)
  WHERE NOT n.status IN ['draft', 'active']
    OR NOT all(word IN split(m.key, ' ') WHERE n.searchTitle + ' ' + n.searchContent CONTAINS word)
  RETURN n.tenant AS tenant, n.uid AS id, 'the name ' + m.key AS what
}
RETURN tenant, id, 'unsupported mention' AS problem, 'its text does not have ' + what AS detail
ORDER BY tenant, id, detail
