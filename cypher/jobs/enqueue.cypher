// Puts jobs into the queue, within the caller's transaction; `on` is the item that they are about.
// params: tenant, jobs, runAfter, on
// returns: none
// write
UNWIND $jobs AS job
// use: new_job
WITH collect(j) AS made
MATCH (n:Item {tenant: $tenant, uid: $on})
UNWIND made AS j
CREATE (j)-[:ON]->(n)
