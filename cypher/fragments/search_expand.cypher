// One level, for depths 0 and 1. What isn't needed isn't there, because planning takes as long as the statement is.
// use: search_pool
// use: search_level
// use: search_mentions
// use: search_bridges
// use: search_counts
// use: search_unknown
// use: search_answer
