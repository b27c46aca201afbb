CYPHER 25
// Notes in use of more than 300 words: more than one concept.
// params: none
// returns: tenant, id, problem, detail
// read
MATCH (n:Knowledge)
WHERE n.status IN ['draft', 'active'] AND size(n.content) > 600
WITH n, size([word IN split(n.content, [' ', '\n', '\t', '\r']) WHERE word <> '']) AS words
WHERE words > 300
RETURN n.tenant AS tenant, n.uid AS id, 'over-long note' AS problem, words + ' words' AS detail
ORDER BY tenant, id
