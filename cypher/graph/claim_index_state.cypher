// Records what the vectors of a kind are made with, or tells what they were made with before.
// params: kind, model, dimension, recipe
// returns: generation, model, dimension, recipe
// write
MERGE (s:IndexState {kind: $kind})
ON CREATE SET s.generation = 1, s.model = $model, s.dimension = $dimension, s.recipe = $recipe, s.createdAt = datetime()
RETURN s.generation AS generation, s.model AS model, s.dimension AS dimension, s.recipe AS recipe
