// What is told of the IndexState `s`.
RETURN s.generation AS generation, s.model AS model, s.dimension AS dimension, s.recipe AS recipe, s.next AS next,
  s.nextModel AS nextModel, s.nextDimension AS nextDimension, s.nextRecipe AS nextRecipe, s.nextLeft AS nextLeft, s.retired AS retired
