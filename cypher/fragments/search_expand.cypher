// All levels, down to $maxDepth; an unused one costs nothing that can be measured.
// use: search_pool
// use: search_level
// use: search_level
// use: search_level
// use: search_level
// use: search_mentions
// use: search_answer
