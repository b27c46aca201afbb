// Until now all that a thread was ever told was looked at, too.
// params: none
// returns: none
// write
MATCH (n:Notice)
WHERE n.thread IS NOT NULL AND n.acknowledgedAt IS NULL
CALL (n) {
  SET n.waitsFor = n.thread
} IN TRANSACTIONS OF 10000 ROWS
