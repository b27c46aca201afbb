// Contradictions that nobody has resolved
CYPHER 25
MATCH p = (:Knowledge)-[r:CONFLICTS_WITH]->(:Knowledge)
WHERE r.recordedTo > datetime()
RETURN p LIMIT 100
