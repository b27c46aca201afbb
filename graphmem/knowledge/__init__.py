"""Level 1: atomic notes in a graph. A file is a verb."""
