// Until now notices that were told long ago were looked at, too.
// params: none
// returns: none
// write
MATCH (n:Notice)
WHERE n.agent IS NOT NULL AND n.acknowledgedAt IS NULL
CALL (n) {
  SET n.waitsFor = n.agent
} IN TRANSACTIONS OF 10000 ROWS
