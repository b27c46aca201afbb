// Two steps around one node (put another title in)
CYPHER 25
MATCH (n:Knowledge) WHERE toLower(n.title) CONTAINS toLower('')
WITH n ORDER BY n.updatedAt DESC LIMIT 1
OPTIONAL MATCH p = (n)-[:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH|MENTIONS]-{1,2}(:Knowledge)
RETURN n, p LIMIT 100
