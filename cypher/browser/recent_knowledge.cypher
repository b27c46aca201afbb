// The newest knowledge and its open edges
CYPHER 25
MATCH (n:Knowledge)
WITH n ORDER BY n.createdAt DESC LIMIT 50
OPTIONAL MATCH p = (n)-[r:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH]-(:Knowledge)
WHERE r.recordedTo > datetime()
RETURN n, p LIMIT 300
