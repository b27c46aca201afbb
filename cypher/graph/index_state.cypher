// What the vectors are made with: those in use, those being made (`next`), and those to be removed (`retired`).
// params: none
// returns: generation, model, dimension, recipe, next, nextModel, nextDimension, nextRecipe, nextLeft, retired
// read
MATCH (s:IndexState {kind: 'vectors'})
// use: index_state
