// The entities named most, and what names them
CYPHER 25
MATCH (e:Entity)
WITH e ORDER BY e.nodes DESC LIMIT 15
MATCH p = (e)<-[r:MENTIONS]-(:Knowledge)
WHERE r.recordedTo > datetime()
RETURN p LIMIT 200
