// The entities named most, and what names them
CYPHER 25
MATCH (e:Entity)<-[:MENTIONS]-(:Knowledge)
WITH e, count(*) AS mentions ORDER BY mentions DESC LIMIT 15
MATCH p = (e)<-[:MENTIONS]-(:Knowledge)
RETURN p LIMIT 200
