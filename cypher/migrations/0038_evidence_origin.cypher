// Until now only ingest said where nodes were taken from.
// params: none
// returns: none
// write
MATCH (:Knowledge)-[r:DERIVED_FROM]->()
WHERE r.origin IS NULL
CALL (r) {
  SET r.origin = 'auto'
} IN TRANSACTIONS OF 10000 ROWS
