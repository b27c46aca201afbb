"""Level 1 over GraphQL."""
