"""graphmem: knowledge and memory for AI agents, on one Neo4j graph."""
