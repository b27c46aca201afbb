// Lets nothing be stored of vectors that are neither in use nor being made. $maker: number of the generation, model, dimension, recipe.
MATCH (s:IndexState {kind: 'vectors'})
WHERE $maker IN [[s.generation, s.model, s.dimension, s.recipe], [s.next, s.nextModel, s.nextDimension, s.nextRecipe]]
