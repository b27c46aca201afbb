// What depends on what, up to four steps
CYPHER 25
MATCH p = (n:Knowledge)-[rs:DEPENDS_ON]->{1,4}(:Knowledge)
WHERE all(r IN rs WHERE r.recordedTo > datetime())
RETURN p LIMIT 100
