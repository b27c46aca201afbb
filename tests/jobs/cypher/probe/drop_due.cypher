// Takes away what other tests left to be done, before a test that lets a whole worker work.
// params:
// returns: dropped
// write
MATCH (j:Job) WHERE j.state IN ['ready', 'leased'] DETACH DELETE j
RETURN count(*) AS dropped
