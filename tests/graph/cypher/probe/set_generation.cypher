// Makes another generation of vectors the live one.
// params: generation
// returns: none
// write
MATCH (s:IndexState {kind: 'vectors'})
SET s.generation = $generation
