// Nodes from before get their number of words, where they are over-long.
// params: none
// returns: none
// write
MATCH (n:Knowledge)
WHERE n.overLong IS NULL AND size(n.content) > 600
CALL (n) {
  WITH n, size([word IN split(replace(replace(n.content, '\n', ' '), '\t', ' '), ' ') WHERE word <> '']) AS words
  WITH n, words WHERE words > 300
  SET n.overLong = words
} IN TRANSACTIONS OF 1000 ROWS
