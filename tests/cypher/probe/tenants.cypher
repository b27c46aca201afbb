// Every tenant, and whether jobs of its own are still to be done, or have failed for good.
// params: none
// returns: tenant, waits
// read
MATCH (n:Item)
RETURN n.tenant AS tenant, count(CASE WHEN n:Job AND n.state <> 'done' THEN 1 END) > 0 AS waits
