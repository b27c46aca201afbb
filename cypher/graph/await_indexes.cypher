// Waits until every index can be asked; a question to one that still fills up would block and fail.
// params: seconds
// returns: none
// read
CALL db.awaitIndexes($seconds)
