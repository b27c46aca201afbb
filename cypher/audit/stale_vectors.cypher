CYPHER 25
// Nodes whose vector was made from another text than they have, as after an edit past the service.
// params: none
// returns: tenant, id, problem, detail
// read
MATCH (n:Knowledge)
WHERE n.embeddedText <> n.title + '\n' + n.content
RETURN n.tenant AS tenant, n.uid AS id, 'stale vector' AS problem, 'made from: ' + left(n.embeddedText, 80) AS detail
ORDER BY tenant, id
