// Background work by kind and state
CYPHER 25
MATCH (j:Job)
RETURN j.kind AS kind, j.state AS state, count(*) AS jobs, min(j.createdAt) AS oldest
ORDER BY kind, state
