"""Level 2 over GraphQL."""
