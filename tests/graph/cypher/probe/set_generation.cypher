// Makes another generation of vectors the live one.
// params: kind, generation
// returns: none
// write
MATCH (s:IndexState {kind: $kind})
SET s.generation = $generation
