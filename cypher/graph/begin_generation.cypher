// Records that the vectors are made anew by a model, unless some are being made or removed already, or it made those in use; $anew: even
// then.
// params: model, dimension, recipe, anew
// returns: generation, model, dimension, recipe, next, nextModel, nextDimension, nextRecipe, nextLeft, retired
// write
MATCH (s:IndexState {kind: 'vectors'})
SET s._lock = true
WITH s, s.next IS NULL AND s.retired IS NULL
  AND ($anew OR [s.model, s.dimension, s.recipe] <> [$model, $dimension, $recipe]) AS free
SET s._lock = null
CALL (s, free) {
  FILTER free
  SET s.next = s.generation + 1, s.nextModel = $model, s.nextDimension = $dimension, s.nextRecipe = $recipe
}
// use: index_state
