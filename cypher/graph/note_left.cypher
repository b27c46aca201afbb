// Notes how many texts still lack a vector of the generation that is being made.
// params: number, left
// returns: none
// write
MATCH (s:IndexState {kind: 'vectors'})
WHERE s.next = $number
SET s.nextLeft = $left
