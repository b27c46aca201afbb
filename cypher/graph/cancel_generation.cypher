// Gives up the generation of vectors that is being made. No row: none is.
// params: none
// returns: retired
// write
MATCH (s:IndexState {kind: 'vectors'})
SET s._lock = true
WITH s, s.next AS next
SET s._lock = null
WITH s, next WHERE next IS NOT NULL
SET s.retired = next, s.next = null, s.nextModel = null, s.nextDimension = null, s.nextRecipe = null, s.nextLeft = null
RETURN s.retired AS retired
