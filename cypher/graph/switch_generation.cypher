// Makes the generation of vectors that was being made the one in use. No row: it is not being made any more.
// params: number
// returns: generation
// write
MATCH (s:IndexState {kind: 'vectors'})
SET s._lock = true
WITH s, s.next = $number AS mine
SET s._lock = null
WITH s WHERE mine
SET s.retired = s.generation
SET s.generation = s.next, s.model = s.nextModel, s.dimension = s.nextDimension, s.recipe = s.nextRecipe, s.createdAt = datetime()
SET s.next = null, s.nextModel = null, s.nextDimension = null, s.nextRecipe = null, s.nextLeft = null
RETURN s.generation AS generation
