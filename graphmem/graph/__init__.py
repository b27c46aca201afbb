"""The only door to Neo4j."""
