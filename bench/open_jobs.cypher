// How many jobs are not done yet.
// params: none
// returns: jobs
// read
MATCH (j:Job)
WHERE j.state IN ['ready', 'leased']
RETURN count(j) AS jobs
