// Takes away what other tests left to be done, before a test that lets a whole worker work.
// params: none
// returns: tenant
// write
MATCH (j:Job) WHERE j.state IN ['ready', 'leased']
WITH j, j.tenant AS tenant
DETACH DELETE j
RETURN DISTINCT tenant
