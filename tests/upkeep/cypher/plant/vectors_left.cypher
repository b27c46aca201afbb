// How many items have a vector of a generation.
// params: property
// returns: count
// read
MATCH (n:Item) WHERE n[$property] IS NOT NULL
RETURN count(*) AS count
