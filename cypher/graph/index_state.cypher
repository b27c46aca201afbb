// What the vectors of a kind are made with.
// params: kind
// returns: generation, model, dimension, recipe
// read
MATCH (s:IndexState {kind: $kind})
RETURN s.generation AS generation, s.model AS model, s.dimension AS dimension, s.recipe AS recipe
