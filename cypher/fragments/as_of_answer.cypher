// What is reached beside the explicit edges, and the lists that the caller ranks. Words are weighed by today's counts.
// use: as_of_mentions
// use: as_of_bridges
// use: search_counts
// use: search_unknown
RETURN pool, hits, found, mentions, shared, counts, nodes, caps + cut AS caps, unknown
