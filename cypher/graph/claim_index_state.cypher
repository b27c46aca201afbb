// Records what the vectors are made with, or tells what they were made with before.
// params: model, dimension, recipe
// returns: generation, model, dimension, recipe, next, nextModel, nextDimension, nextRecipe, nextLeft, retired
// write
MERGE (s:IndexState {kind: 'vectors'})
ON CREATE SET s.generation = 1, s.model = $model, s.dimension = $dimension, s.recipe = $recipe, s.createdAt = datetime()
// use: index_state
