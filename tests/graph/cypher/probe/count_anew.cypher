// Has the indexes counted, and forgets the plans made with older counts.
// params: seconds
// returns: none
// schema
CALL db.prepareForReplanning($seconds)
