"""Whole-graph work."""
