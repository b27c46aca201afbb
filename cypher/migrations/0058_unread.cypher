// Until now threads had settings, and turns and staged messages the resource of their thread; nobody reads them.
// params: none
// returns: none
// write
MATCH (n:Thread|Turn|StagedMessage)
WHERE n['settings'] IS NOT NULL OR (n.resource IS NOT NULL AND NOT n:Thread)
CALL (n) {
  SET n['settings'] = null, n.resource = CASE WHEN n:Thread THEN n.resource END
} IN TRANSACTIONS OF 10000 ROWS
