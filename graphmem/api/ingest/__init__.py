"""Documents over GraphQL."""
