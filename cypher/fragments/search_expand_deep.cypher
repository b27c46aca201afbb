// All levels, down to $maxDepth.
// use: search_pool
// use: search_level
// use: search_level
// use: search_level
// use: search_level
// use: search_mentions
// use: search_bridges
// use: search_counts
// use: search_unknown
// use: search_answer
