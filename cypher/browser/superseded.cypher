// What replaced what
CYPHER 25
MATCH p = (new:Knowledge)-[r:SUPERSEDES]->(:Knowledge)
WHERE r.recordedTo > datetime()
RETURN p ORDER BY new.createdAt DESC LIMIT 100
