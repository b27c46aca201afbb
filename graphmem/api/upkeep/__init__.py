"""Whole-graph work over GraphQL."""
