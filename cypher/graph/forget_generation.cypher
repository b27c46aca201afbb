// Notes that nothing is left of a generation of vectors.
// params: number
// returns: none
// write
MATCH (s:IndexState {kind: 'vectors'})
WHERE s.retired = $number
SET s.retired = null
