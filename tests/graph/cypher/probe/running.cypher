// How many statements with that word in them run now, this one left out.
// params: word
// returns: count
// read
SHOW TRANSACTIONS YIELD currentQuery
WHERE currentQuery CONTAINS $word AND NOT currentQuery CONTAINS 'SHOW TRANSACTIONS'
RETURN count(*) AS count
