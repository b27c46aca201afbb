"""Pure functions: words, scores and budgets. Nothing here does input or output."""
