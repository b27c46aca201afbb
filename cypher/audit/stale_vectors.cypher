CYPHER 25
// Nodes, messages and pieces of them whose vector was made from another text than they have, as after an edit past the service.
// params: none
// returns: tenant, id, problem, detail
// read
CALL () {
  MATCH (n:Knowledge)
  WHERE n.embeddedText <> n.title + '\n' + n.content
  RETURN n AS item, n.embeddedText AS made
 UNION ALL
  MATCH (n:Knowledge)-[:HAS_CHUNK]->(c:Chunk)
  WHERE NOT (c.text STARTS WITH n.title + '\n' AND n.content CONTAINS substring(c.text, size(n.title) + 1))
  RETURN c AS item, c.text AS made
 UNION ALL
  // A message's is made from its words, with one space between them whatever stood there.
  MATCH (m:Message)
  WHERE m.embeddedText IS NOT NULL
  WITH m, coalesce(m.speaker, m.role) + ':' AS who
  WHERE NOT m.embeddedText STARTS WITH who
    OR [word IN split(substring(m.embeddedText, size(who)), ' ') WHERE word <> ''] <> [word IN split(coalesce(m.content, ''), [
      '\t', '\n', '\u000B', '\f', '\r', '\u001C', '\u001D', '\u001E', '\u001F', ' ', '\u0085', '\u00A0', '\u1680', '\u2000', '\u2001',
      '\u2002', '\u2003', '\u2004', '\u2005', '\u2006', '\u2007', '\u2008', '\u2009', '\u200A', '\u2028', '\u2029', '\u202F', '\u205F',
      '\u3000']) WHERE word <> '']
  RETURN m AS item, m.embeddedText AS made
 UNION ALL
  MATCH (m:Message)-[:HAS_CHUNK]->(c:MessageChunk)
  WITH m, c, coalesce(m.speaker, m.role) + ': ' AS who
  WHERE NOT (c.text STARTS WITH who AND coalesce(m.embeddedText, '') CONTAINS substring(c.text, size(who)))
  RETURN c AS item, c.text AS made
}
RETURN item.tenant AS tenant, item.uid AS id, 'stale vector' AS problem, 'made from: ' + left(made, 80) AS detail
ORDER BY tenant, id
