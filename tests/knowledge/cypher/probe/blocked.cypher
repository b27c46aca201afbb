// How many transactions wait for a lock.
// params: none
// returns: blocked
// read
SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN count(*) AS blocked
