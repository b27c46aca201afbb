// Ends the statements with that word in them, as an operator would.
// params: word
// returns: id
// read
SHOW TRANSACTIONS YIELD transactionId AS found, currentQuery
WHERE currentQuery CONTAINS $word AND NOT currentQuery CONTAINS 'SHOW TRANSACTIONS'
TERMINATE TRANSACTIONS found YIELD transactionId
RETURN transactionId AS id
